package dev.omlx.engine.config;

import java.io.Serial;
import org.springframework.boot.context.properties.source.ConfigurationProperty;

/** A key of the configuration stands where it cannot, or has a value that it cannot have. */
public final class SettingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ConfigurationProperty property;

    /** @param problem goes on where the key and its value leave off */
    SettingException(ConfigurationProperty property, String problem) {
        super(problem);
        this.property = property;
    }

    /** The key, what it was set to, and where. */
    public ConfigurationProperty property() {
        return property;
    }
}
