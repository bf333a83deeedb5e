package dev.omlx.engine.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Refuses keys of ours that are set to nothing; Spring would take the default. Only a list may be empty. */
final class EmptyValues implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("omlx");

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                ConfigurationProperty property = context.getConfigurationProperty();
                boolean list =
                        Collection.class.isAssignableFrom(target.getType().toClass());
                if (OURS.isAncestorOf(name) && !list && property != null && isEmpty(property, name)) {
                    throw new IllegalArgumentException("has no value; give it one, or leave the key out");
                }
                super.onFinish(name, target, context, result);
            }
        };
    }

    private static boolean isEmpty(ConfigurationProperty property, ConfigurationPropertyName name) {
        return property.getName().equals(name) && property.getValue() instanceof String text && text.isBlank();
    }
}
