package dev.omlx.api.ollama;

import dev.omlx.api.json.ModelDigest;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;

/** A model in a list. */
record ModelBody(String name, String model, String modifiedAt, long size, String digest, Details details) {
    static ModelBody of(ModelDescription model) {
        String name = ModelNames.of(model);
        return new ModelBody(
                name,
                name,
                model.created().toString(),
                model.origin().bytes(),
                ModelDigest.of(model),
                Details.of(model));
    }

    /** What clients show of a model; what is not known is empty. */
    record Details(
            String parentModel,
            String format,
            String family,
            List<String> families,
            String parameterSize,
            String quantizationLevel) {
        static Details of(ModelDescription model) {
            String family = model.origin().architecture();
            return new Details("", model.origin().layout(), family, List.of(family), "", "");
        }
    }
}
