package dev.omlx.engine;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Prompt;
import dev.omlx.parse.DeclaredTools;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.OutputParser;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import tools.jackson.databind.json.JsonMapper;

/** A model without weights: it says the tokens that it is told, which go the way of a real model's to their events. */
public final class ScriptedModel implements AutoCloseable {
    private final OutputFormat format;
    private final String promptEnd;
    private final Map<String, Integer> ids = new LinkedHashMap<>();
    private final List<String> tokens;
    private final ModelText text;

    /**
     * @param promptEnd how prompts end
     * @param tokens what it says, cut at the request's most tokens
     * @param specials those that are special tokens
     */
    public ScriptedModel(OutputFormat format, String promptEnd, List<String> tokens, Set<String> specials) {
        this.format = format;
        this.promptEnd = promptEnd;
        this.tokens = List.copyOf(tokens);
        this.text = vocabulary(specials);
    }

    private ModelText vocabulary(Set<String> specials) {
        List<Map<String, Object>> added = new ArrayList<>();
        for (String token : tokens) {
            if (ids.putIfAbsent(token, ids.size() + 1) == null) {
                added.add(Map.of(
                        "id", ids.size(),
                        "content", token,
                        "special", specials.contains(token),
                        "single_word", false,
                        "lstrip", false,
                        "rstrip", false,
                        "normalized", false));
            }
        }
        Map<String, Object> document = Map.of(
                "version",
                "1.0",
                "added_tokens",
                added,
                "decoder",
                Map.of("type", "ByteLevel", "add_prefix_space", false, "trim_offsets", false, "use_regex", false),
                "model",
                Map.of("type", "BPE", "vocab", Map.of("!", 0), "merges", List.of()));
        try {
            Path folder = Files.createTempDirectory("scripted");
            Path file = folder.resolve("tokenizer.json");
            Files.writeString(file, JsonMapper.shared().writeValueAsString(document));
            ModelText read = ModelText.of(folder);
            Files.delete(file);
            Files.delete(folder);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers as an engine does. */
    public Flux<GenerationEvent> generate(GenerationRequest request) {
        return Flux.create(sink -> say(request, sink));
    }

    private void say(GenerationRequest request, FluxSink<GenerationEvent> sink) {
        Tokenizer tokenizer = text.tokenizer();
        Supplier<OutputParser> parsers = request.prompt() instanceof Prompt.Chat chat
                ? () -> format.parser(promptEnd, DeclaredTools.of(chat.tools()))
                : OutputParser::plain;
        int topLogprobs = request.output().logprobs() ? 0 : -1;
        AnswerText.Wanted wanted =
                new AnswerText.Wanted(request.stop().stops(), request.stop().afterToolCall(), topLogprobs);
        List<AnswerText> texts = new ArrayList<>();
        for (int choice = 0; choice < request.output().choices(); choice++) {
            texts.add(new AnswerText(choice, tokenizer, parsers.get(), wanted));
        }
        Answer answer = new Answer(
                new Answer.Facts(
                        request.id(),
                        String.valueOf(request.model()),
                        request.prompt().field(),
                        7,
                        System.nanoTime()),
                sink,
                texts,
                List.of(),
                Runnable::run,
                new Answer.Aborter() {
                    @Override
                    public void abort(Answer answer) {}

                    @Override
                    public void abort(Answer answer, int choice) {}
                });
        answer.accepted();
        answer.started(System.nanoTime());
        Integer most = request.stop().maxTokens();
        int length = most == null ? tokens.size() : Math.min(most, tokens.size());
        for (String token : tokens.subList(0, length)) {
            for (int choice = 0; choice < texts.size(); choice++) {
                answer.token(choice, Objects.requireNonNull(ids.get(token)), new RowLogprobs(-0.5f, List.of()));
            }
        }
        for (int choice = 0; choice < texts.size(); choice++) {
            answer.finished(choice, length < tokens.size() ? FinishReason.LENGTH : FinishReason.STOP);
        }
    }

    @Override
    public void close() {
        text.close();
    }
}
