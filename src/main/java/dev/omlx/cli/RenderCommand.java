package dev.omlx.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.omlx.engine.ModelTexts;
import dev.omlx.text.ChatTemplate;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import dev.omlx.text.jinja.JinjaException;
import dev.omlx.text.jinja.JinjaTemplate;
import dev.omlx.text.jinja.RenderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows what a chat template makes of conversations. */
@Command(
        name = RenderCommand.NAME,
        description = {
            "Render a chat template.",
            "Reads a JSON array of objects, each the template's variables (messages, tools, add_generation_prompt, ...),"
                    + " and writes an array of {\"ok\": text} or {\"err\": reason}."
        })
final class RenderCommand implements Callable<Integer> {
    static final String NAME = "render";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private final CommonOptions common = new CommonOptions();

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(names = "--now", paramLabel = "TEXT", description = "What strftime_now gives, whatever its format.")
    private @Nullable String now;

    private final Streams streams;
    private final Models models;

    RenderCommand(Streams streams, Models models) {
        this.streams = streams;
        this.models = models;
    }

    /** Where the template is. */
    private static final class Source {
        @Option(names = "--model", required = true, paramLabel = "MODEL", description = ModelNames.DESCRIPTION)
        private @Nullable String model;

        @Option(names = "--template", required = true, paramLabel = "FILE", description = "A file of Jinja source.")
        private @Nullable Path template;
    }

    @Override
    public Integer call() {
        List<Map<String, Object>> contexts =
                Json.map(Json.readArray(streams, "objects of template variables"), RenderCommand::context);
        Json.write(streams, source.template != null ? render(source.template, contexts) : renderModel(contexts));
        return Cli.OK;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> context(JsonNode node, String place) {
        return Json.convert(Json.object(node, place), LinkedHashMap.class);
    }

    private List<Rendering> render(Path template, List<Map<String, Object>> contexts) {
        try {
            String text = Files.readString(template);
            return contexts.stream().map(context -> render(text, context)).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Conversations with tools may have a template of their own. */
    private List<Rendering> renderModel(List<Map<String, Object>> contexts) {
        try (ModelText text = ModelTexts.read(models.find(String.valueOf(source.model)))) {
            ChatTemplate template = text.chatTemplate();
            for (Map<String, Object> context : contexts) {
                nameTokens(context, text.tokenizer());
            }
            return contexts.stream()
                    .map(context -> render(template.source(context.get("tools") instanceof List<?>), context))
                    .toList();
        }
    }

    private static void nameTokens(Map<String, Object> context, Tokenizer tokenizer) {
        tokenizer.bosId().ifPresent(id -> context.putIfAbsent("bos_token", tokenizer.tokenText(id)));
        tokenizer.eosIds().stream()
                .findFirst()
                .ifPresent(id -> context.putIfAbsent("eos_token", tokenizer.tokenText(id)));
    }

    private Rendering render(String template, Map<String, Object> context) {
        RenderOptions options = RenderOptions.defaults();
        try {
            return new Rendering(
                    JinjaTemplate.compile(template).render(context, now == null ? options : options.withFixedNow(now)),
                    null);
        } catch (JinjaException failure) {
            String place = failure.line() == 0 ? "" : " (line " + failure.line() + " of the template)";
            return new Rendering(null, failure.getMessage() + place);
        }
    }

    /** Has one of the two. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Rendering(@Nullable String ok, @Nullable String err) {}
}
