package dev.omlx.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled chat template: the seam to the Jinja interpreter. Thread-safe. */
@FunctionalInterface
interface TemplateRenderer {

    /** @throws TextException if the template refuses the variables or fails */
    String render(Map<String, @Nullable Object> variables);

    /** @throws TextException if the source cannot be compiled */
    static TemplateRenderer compile(String model, String name, String source) {
        throw new TextException(
                TextException.Kind.TEMPLATE_BROKEN, model + ": chat template \"" + name + "\" cannot be compiled yet");
    }
}
