package dev.omlx.cli;

import dev.omlx.engine.config.ConfigurationFileException;
import dev.omlx.engine.config.SettingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationNotFoundException;
import org.springframework.boot.context.config.ConfigDataNotFoundException;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationErrors;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.validation.FieldError;

/** Says in one line why Spring could not start the application. */
final class StartupFailures {
    /** What Java says of a name that none of an enumeration's constants has. */
    private static final String NO_CONSTANT = "^No enum constant (?:[\\w$]+\\.)*(.*)$";

    private StartupFailures() {}

    static StartupException explain(Throwable failure) {
        return Failures.find(StartupException.class, failure).orElseGet(() -> explainOther(failure));
    }

    /** The same where it is known what was set: some parts of Spring do not name the keys at fault. */
    static StartupException explain(Throwable failure, Environment environment) {
        boolean named = badSetting(failure).isPresent()
                || Failures.ours(failure).isPresent()
                || Failures.find(PortInUseException.class, failure).isPresent();
        return (named ? Optional.<String>empty() : SettingsAtFault.describe(failure, environment))
                .map(problem -> badConfiguration(problem, failure))
                .orElseGet(() -> explain(failure));
    }

    /** The same of a failure before the configuration was read: nothing but that can have failed. */
    static StartupException explainReading(Throwable failure) {
        return badConfiguration(badSetting(failure).orElseGet(() -> Failures.describeWhole(failure)), failure);
    }

    /** The same where at least the environment is there. */
    static StartupException explainReading(Throwable failure, Environment environment) {
        return badConfiguration(
                badSetting(failure)
                        .or(() -> SettingsAtFault.describe(failure, environment))
                        .orElseGet(() -> Failures.describeWhole(failure)),
                failure);
    }

    private static StartupException explainOther(Throwable failure) {
        return badSetting(failure)
                .map(text -> badConfiguration(text, failure))
                .orElseGet(() -> new StartupException(describe(failure), Cli.FAILED, failure));
    }

    /** All of the failure, for programmers; what may be a secret is hidden. */
    static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        String trace = text.toString();
        ConfigurationProperty property = Failures.find(BindException.class, failure)
                .map(BindException::getProperty)
                .or(() -> Failures.find(SettingException.class, failure).map(SettingException::property))
                .orElse(null);
        if (property == null) {
            return trace;
        }
        String key = property.getName().toString();
        Object converted = Failures.find(ConversionFailedException.class, failure)
                .map(ConversionFailedException::getValue)
                .orElse(null);
        return ShownSetting.hide(converted, key, ShownSetting.hide(property.getValue(), key, trace));
    }

    static StartupException badConfiguration(String problem, @Nullable Throwable failure) {
        return new StartupException("bad configuration: " + problem, Cli.MISUSED, failure);
    }

    private static Optional<String> badSetting(Throwable failure) {
        return Failures.find(ConfigurationFileException.class, failure)
                .map(Failures::describe)
                .or(() -> Failures.find(ConfigDataNotFoundException.class, failure)
                        .map(StartupFailures::missingFile))
                .or(() -> Failures.find(JsonParseException.class, failure).map(StartupFailures::badJson))
                .or(() -> Failures.find(SettingException.class, failure).map(StartupFailures::refusedSetting))
                .or(() -> Failures.find(BindValidationException.class, failure).map(StartupFailures::invalidProperties))
                .or(() -> Failures.find(BindException.class, failure).map(StartupFailures::badProperty))
                .or(() -> Failures.find(InvalidConfigurationPropertyValueException.class, failure)
                        .map(refusal -> refusedProperty(refusal, failure)))
                .or(() -> Failures.find(FailureAnalyzedException.class, failure)
                        .map(refusal -> oneLine(refusal.analysis())));
    }

    private static String describe(Throwable failure) {
        return Failures.find(PortInUseException.class, failure)
                .map(taken -> portInUse(taken.getPort()))
                .or(() -> Failures.ours(failure).map(Failures::describe))
                .or(() -> analysed(failure))
                .orElseGet(() -> Failures.describe(failure));
    }

    /** @param address null for every address */
    static String cannotListen(@Nullable InetAddress address, int port, IOException failure) {
        String reason = Failures.oneLine(failure.getMessage());
        return reason.contains("in use")
                ? portInUse(port)
                : "cannot listen on " + (address == null ? "every address" : address.getHostAddress()) + ", port "
                        + port + ": " + reason;
    }

    private static String portInUse(int port) {
        return "port " + port + " is already in use; stop what listens there, or choose another by --port";
    }

    private static String missingFile(ConfigDataNotFoundException failure) {
        ConfigDataLocation location = switch (failure) {
            case ConfigDataLocationNotFoundException missing -> missing.getLocation();
            case ConfigDataResourceNotFoundException missing -> missing.getLocation();
            default -> null;
        };
        String name = location == null ? failure.getReferenceDescription() : location.getValue();
        Origin origin = failure.getOrigin();
        return name + ": no such file or folder" + (origin == null ? "" : " (" + origin + ")");
    }

    /** All that Spring reads as JSON before the application starts. */
    private static String badJson(JsonParseException failure) {
        return "SPRING_APPLICATION_JSON (spring.application.json) is not a well-formed JSON object";
    }

    private static String refusedSetting(SettingException refusal) {
        ConfigurationProperty property = refusal.property();
        return (refusal.isMisplaced() ? ShownSetting.place(property) : ShownSetting.of(property)) + " "
                + Failures.oneLine(refusal.getMessage());
    }

    private static String invalidProperties(BindValidationException failure) {
        ValidationErrors errors = failure.getValidationErrors();
        return errors.getAllErrors().stream()
                .map(error -> error instanceof FieldError field
                        ? rejected(errors, field) + " " + error.getDefaultMessage()
                        : errors.getName() + " " + error.getDefaultMessage())
                .collect(Collectors.joining("; "));
    }

    /** What was set, as it was written. */
    private static String rejected(ValidationErrors errors, FieldError field) {
        String key = errors.getName() + "." + DataObjectPropertyName.toDashedForm(field.getField());
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        return errors.getBoundProperties().stream()
                .filter(property -> property.getName().equals(name))
                .findFirst()
                .map(ShownSetting::of)
                .orElseGet(() -> ShownSetting.of(key, field.getRejectedValue(), Origin.from(field)));
    }

    /** A value where keys are expected, or the other way round, of Spring's own keys. */
    private static Optional<String> misplaced(BindException failure) {
        Optional<String> unbound = Failures.find(UnboundConfigurationPropertiesException.class, failure)
                .flatMap(rest -> rest.getUnboundProperties().stream().findFirst())
                .map(property -> ShownSetting.place(property) + " cannot stand there: " + failure.getName()
                        + " is a list of values");
        return unbound.or(
                () -> Failures.find(ConverterNotFoundException.class, failure).map(none -> unconverted(failure, none)));
    }

    private static String unconverted(BindException failure, ConverterNotFoundException none) {
        ConfigurationProperty property = failure.getProperty();
        String key = property == null ? failure.getName().toString() : ShownSetting.place(property);
        return AllowedValues.takesText(none.getTargetType())
                ? key + " must be text: write it in quotes"
                : key + " is a value, but " + failure.getName() + " has keys below it";
    }

    private static String badProperty(BindException failure) {
        return misplaced(failure).orElseGet(() -> badValue(failure));
    }

    private static String badValue(BindException failure) {
        ConfigurationProperty property = failure.getProperty();
        if (property == null) {
            String problem = Failures.describe(failure);
            String key = problem.replaceFirst(NO_CONSTANT, "$1");
            return key.equals(problem) ? problem : failure.getName() + " has no key '" + key + "'";
        }
        // what the failure itself says is for Java's programmers, where its type is one of Java's
        String allowed = AllowedValues.describe(failure.getTarget())
                .map(values -> " must be " + values)
                .orElseGet(() -> ": " + Failures.describe(failure));
        return ShownSetting.of(failure.getName().toString(), property.getValue(), property.getOrigin()) + allowed;
    }

    /** What Spring reads before it binds anything. */
    private static String refusedProperty(InvalidConfigurationPropertyValueException refusal, Throwable failure) {
        String problem = Failures.find(ConversionFailedException.class, failure)
                .flatMap(conversion -> AllowedValues.describe(
                        Bindable.of(conversion.getTargetType().getResolvableType())))
                .map(values -> " must be " + values)
                .orElseGet(() -> ": " + Failures.oneLine(refusal.getReason()));
        return ShownSetting.of(refusal.getName(), refusal.getValue(), null) + problem;
    }

    /** What Spring's own analyzers make of it. */
    private static Optional<String> analysed(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, cause) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .map(StartupFailures::oneLine);
    }

    private static String oneLine(FailureAnalysis analysis) {
        String what = Failures.oneLine(analysis.getDescription());
        String action = Failures.oneLine(analysis.getAction());
        return action.isEmpty() ? what : what.replaceFirst("[.;]$", "") + "; " + action;
    }
}
