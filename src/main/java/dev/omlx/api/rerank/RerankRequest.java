package dev.omlx.api.rerank;

import dev.omlx.api.request.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to rank documents. Fields that it does not know are ignored.
 *
 * @param documents their texts, at least one
 * @param top most of them to return
 * @param returnTexts return the texts with the scores
 * @param shape whose words the request used, and the answer uses
 */
record RerankRequest(
        @Nullable String model, String query, List<String> documents, int top, boolean returnTexts, Shape shape) {
    private static final int MAX_DOCUMENTS = 2048;
    private static final Set<String> SIDES = Set.of("left", "right", "Left", "Right");
    private static final String TEXTS = "texts";
    private static final String DOCUMENTS = "documents";

    /** The two families of clients. */
    enum Shape {
        COHERE,
        TEI
    }

    RerankRequest {
        documents = List.copyOf(documents);
    }

    static RerankRequest read(JsonFields body) {
        String model = body.string("model");
        String query = body.requireString("query");
        if (query.isEmpty()) {
            throw body.invalid("query", "must not be an empty string");
        }
        boolean tei = body.has(TEXTS);
        if (tei && body.has(DOCUMENTS)) {
            throw body.invalid(TEXTS, "cannot be given with 'documents'");
        }
        List<String> documents = texts(body, tei ? TEXTS : DOCUMENTS);
        int top = body.integer("top_n", 1, Integer.MAX_VALUE, documents.size());
        if (tei) {
            checkTruncation(body);
        }
        boolean returnTexts = body.flag(tei ? "return_text" : "return_documents", false);
        return new RerankRequest(
                model, query, documents, Math.min(top, documents.size()), returnTexts, tei ? Shape.TEI : Shape.COHERE);
    }

    /** Texts are cut as the model has it; what TEI's clients say of it is read for its types. */
    private static void checkTruncation(JsonFields body) {
        body.flag("truncate", false);
        body.flag("raw_scores", false);
        String side = body.string("truncation_direction");
        if (side != null && !SIDES.contains(side)) {
            throw body.invalid("truncation_direction", "must be left or right");
        }
    }

    private static List<String> texts(JsonFields body, String field) {
        JsonNode value = body.value(field);
        if (value == null) {
            throw body.invalid(field, "is required");
        }
        if (!value.isArray() || value.isEmpty()) {
            throw body.invalid(field, "must be an array of at least one text");
        }
        if (value.size() > MAX_DOCUMENTS) {
            throw body.invalid(field, "must have at most %d elements".formatted(MAX_DOCUMENTS));
        }
        List<String> texts = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            JsonNode text = value.get(i).isObject() ? value.get(i).path("text") : value.get(i);
            if (!text.isString() || text.stringValue().isEmpty()) {
                throw JsonFields.invalidAt(
                        body.path(field, i), "must be a text, or an object with a 'text', and not empty");
            }
            texts.add(text.stringValue());
        }
        return texts;
    }
}
