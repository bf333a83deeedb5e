package dev.omlx.engine.config;

import java.io.Serial;
import org.springframework.boot.context.properties.source.ConfigurationProperty;

/** A key of the configuration stands where it cannot, or has a value that it cannot have. */
public final class SettingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ConfigurationProperty property;
    private final boolean misplaced;

    /** @param problem goes on where the key and its value leave off */
    SettingException(ConfigurationProperty property, String problem) {
        this(property, problem, false);
    }

    private SettingException(ConfigurationProperty property, String problem, boolean misplaced) {
        super(problem);
        this.property = property;
        this.misplaced = misplaced;
    }

    /** Of a value that stands where none belongs. */
    static SettingException misplaced(ConfigurationProperty property, String problem) {
        return new SettingException(property, problem, true);
    }

    /** The key, what it was set to, and where. */
    public ConfigurationProperty property() {
        return property;
    }

    /** Whether no value belongs there: then nobody knows what it is, and it may be a secret. */
    public boolean isMisplaced() {
        return misplaced;
    }
}
