package dev.omlx.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.omlx.engine.ModelProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows a model's numbers, to compare them with another engine's. */
@Command(
        name = LogitsCommand.NAME,
        description = {
            "Evaluate token ids.",
            "Reads a JSON array of {\"ids\": [...], \"greedy\": N} and writes an array of"
                    + " {\"logits\": [...], \"tokens\": [...], \"logprob_sum\": x}: the logits after the last id, the N"
                    + " likeliest tokens that follow, and the sum of the ids' own log-probabilities."
        })
final class LogitsCommand implements Callable<Integer> {
    static final String NAME = "logits";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private final CommonOptions common = new CommonOptions();

    @Option(names = "--model", required = true, paramLabel = "MODEL", description = ModelNames.DESCRIPTION)
    private String model = "";

    private final Streams streams;
    private final Models models;
    private final LogitsSource.Opener opener;

    LogitsCommand(Streams streams, Models models, LogitsSource.Opener opener) {
        this.streams = streams;
        this.models = models;
        this.opener = opener;
    }

    @Override
    public Integer call() {
        List<Question> questions = Json.map(Json.readArray(streams, "objects with ids"), Question::read);
        try (LogitsSource source = opener.open(models.find(model))) {
            List<Numbers> answers = new ArrayList<>();
            for (int i = 0; i < questions.size(); i++) {
                answers.add(questions.get(i).answer(source, i));
            }
            Json.write(streams, answers);
        }
        return Cli.OK;
    }

    /** @param greedy how many tokens to generate */
    private record Question(int[] ids, int greedy) {
        static Question read(JsonNode node, String place) {
            JsonNode ids = Json.object(node, place).path("ids");
            Json.require(ids, ids.isArray() && !ids.isEmpty(), "ids of " + place, "an array of at least one token id");
            JsonNode greedy = node.path("greedy");
            boolean valid = greedy.isMissingNode() || (greedy.isInt() && greedy.asInt() >= 0);
            Json.require(greedy, valid, "greedy of " + place, "a number of tokens");
            return new Question(Json.ids(ids, "ids of " + place, Integer.MAX_VALUE), greedy.asInt(0));
        }

        Numbers answer(LogitsSource source, int place) {
            try {
                ModelProbe.Reading reading = source.read(ids, greedy);
                return new Numbers(reading.logits(), reading.tokens(), reading.logprobSum());
            } catch (IllegalArgumentException failure) {
                throw new BadInputException("ids of element " + place + " of the input: " + failure.getMessage());
            }
        }
    }

    private record Numbers(
            float[] logits,
            int[] tokens,
            @JsonProperty("logprob_sum") double logprobSum) {}
}
