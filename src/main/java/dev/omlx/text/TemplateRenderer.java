package dev.omlx.text;

import dev.omlx.text.TextException.Kind;
import dev.omlx.text.jinja.JinjaException;
import dev.omlx.text.jinja.JinjaTemplate;
import dev.omlx.text.jinja.RenderOptions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One compiled chat template; its failures are told in our terms. Thread-safe. */
final class TemplateRenderer {

    private final JinjaTemplate template;

    /** @throws TextException if the source cannot be compiled */
    TemplateRenderer(String model, String name, String source) {
        try {
            template = JinjaTemplate.compile(source);
        } catch (JinjaException e) {
            throw new TextException(
                    Kind.TEMPLATE_BROKEN,
                    model + ": chat template \"" + name + "\" cannot be compiled: " + e.getMessage() + at(e),
                    e);
        }
    }

    /** @throws TextException if the template refuses the variables or fails */
    String render(Map<String, @Nullable Object> variables) {
        try {
            return template.render(variables, RenderOptions.defaults());
        } catch (JinjaException e) {
            if (e.kind() == JinjaException.Kind.RAISED) {
                throw new TextException(
                        Kind.TEMPLATE_RAISED,
                        "the model's chat template refuses this conversation: " + e.getMessage(),
                        e);
            }
            throw new TextException(
                    Kind.TEMPLATE_FAILED, "the model's chat template failed: " + e.getMessage() + at(e), e);
        }
    }

    private static String at(JinjaException e) {
        return e.line() > 0 ? " (line " + e.line() + ")" : "";
    }
}
