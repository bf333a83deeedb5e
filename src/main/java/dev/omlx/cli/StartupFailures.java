package dev.omlx.cli;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationErrors;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.OriginProvider;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.validation.FieldError;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Says in one line why Spring could not start the application. */
final class StartupFailures {
    private StartupFailures() {}

    static String describe(Throwable failure) {
        return Failures.find(PortInUseException.class, failure)
                .map(StartupFailures::portInUse)
                .or(() -> Failures.ours(failure).map(Failures::describe))
                .or(() -> Failures.find(MarkedYAMLException.class, failure).map(StartupFailures::badYaml))
                .or(() -> Failures.find(BindValidationException.class, failure).map(StartupFailures::invalidProperties))
                .or(() -> Failures.find(BindException.class, failure).map(StartupFailures::badProperty))
                .or(() -> analysed(failure))
                .orElseGet(() -> Failures.describe(failure));
    }

    private static String portInUse(PortInUseException failure) {
        return "port " + failure.getPort() + " is already in use; stop what listens there, or choose another by --port";
    }

    private static String badYaml(MarkedYAMLException failure) {
        int line = failure.getProblemMark().getLine() + 1;
        return "bad configuration: a YAML file is not well-formed at line " + line + ": " + failure.getProblem();
    }

    private static String invalidProperties(BindValidationException failure) {
        ValidationErrors errors = failure.getValidationErrors();
        return errors.getAllErrors().stream()
                .map(error -> error instanceof FieldError field
                        ? errors.getName() + "." + DataObjectPropertyName.toDashedForm(field.getField()) + " = '"
                                + field.getRejectedValue() + "' " + field.getDefaultMessage()
                        : errors.getName() + " " + error.getDefaultMessage())
                .collect(Collectors.joining("; ", "bad configuration: ", ""));
    }

    private static String badProperty(BindException failure) {
        String name = failure.getName().toString();
        var property = Optional.ofNullable(failure.getProperty());
        String value = property.map(found -> " = '" + found.getValue() + "'").orElse("");
        String origin = property.map(OriginProvider::getOrigin)
                .map(found -> " (" + found + ")")
                .orElse("");
        return "bad configuration: " + name + value + origin + ": " + Failures.describe(failure);
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
