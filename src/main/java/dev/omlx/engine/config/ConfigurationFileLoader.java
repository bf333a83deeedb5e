package dev.omlx.engine.config;

import dev.omlx.files.FileFailures;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads the files of the configuration as Spring does, but names the file that it cannot read. */
@Order(Ordered.HIGHEST_PRECEDENCE) // the first loader for an extension is the one that is asked
final class ConfigurationFileLoader implements PropertySourceLoader {
    /** What Spring takes for the key of a YAML document that has none. */
    private static final String NO_KEYS = "document";

    private final List<PropertySourceLoader> loaders =
            List.of(new PropertiesPropertySourceLoader(), new YamlPropertySourceLoader());

    @Override
    public String[] getFileExtensions() {
        return loaders.stream()
                .map(PropertySourceLoader::getFileExtensions)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    @Override
    public List<PropertySource<?>> load(String name, Resource resource) throws IOException {
        return read(resource, loader -> loader.load(name, resource));
    }

    @Override
    public List<PropertySource<?>> load(String name, Resource resource, @Nullable Charset charset) throws IOException {
        return read(resource, loader -> loader.load(name, resource, charset));
    }

    private interface Reading {
        List<PropertySource<?>> by(PropertySourceLoader loader) throws IOException;
    }

    private List<PropertySource<?>> read(Resource resource, Reading reading) {
        PropertySourceLoader loader = loaderOf(resource);
        List<PropertySource<?>> sources;
        try {
            sources = reading.by(loader);
        } catch (IOException | RuntimeException failure) {
            throw new ConfigurationFileException(nameOf(resource), problem(failure), failure);
        } catch (StackOverflowError endless) {
            // without the cause, whose trace says the same a thousand times; YAML's own limit stops any other depth
            throw new ConfigurationFileException(nameOf(resource), "holds an alias within what it stands for");
        }
        if (loader instanceof YamlPropertySourceLoader
                && sources.stream().anyMatch(ConfigurationFileLoader::lacksKeys)) {
            throw new ConfigurationFileException(nameOf(resource), "holds no keys, write key: value");
        }
        return sources;
    }

    private PropertySourceLoader loaderOf(Resource resource) {
        String file = String.valueOf(resource.getFilename()).toLowerCase(Locale.ROOT);
        return loaders.stream()
                .filter(loader -> Stream.of(loader.getFileExtensions()).anyMatch(end -> file.endsWith("." + end)))
                .findFirst()
                .orElseGet(loaders::getLast);
    }

    private static String nameOf(Resource resource) {
        try {
            return resource.getFile().getPath();
        } catch (IOException inAnArchive) {
            return resource.getDescription();
        }
    }

    private static boolean lacksKeys(PropertySource<?> source) {
        return source instanceof EnumerablePropertySource<?> keys
                && keys.getPropertyNames().length > 0
                && Stream.of(keys.getPropertyNames())
                        .allMatch(key -> key.equals(NO_KEYS) || key.startsWith(NO_KEYS + "["));
    }

    private static String problem(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case MarkedYAMLException yaml -> {
                    int line = yaml.getProblemMark().getLine() + 1;
                    return "not well-formed at line " + line + ": " + yaml.getProblem();
                }
                case ReaderException yaml -> {
                    return "holds a character that YAML does not allow, U+%04X".formatted(yaml.getCodePoint());
                }
                case CharacterCodingException coding -> {
                    return "not encoded in UTF-8";
                }
                case IOException file -> {
                    return FileFailures.reason(file);
                }
                default -> {}
            }
        }
        return String.valueOf(failure.getMessage());
    }
}
