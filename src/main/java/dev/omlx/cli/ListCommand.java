package dev.omlx.cli;

import dev.omlx.engine.ModelLocation;
import dev.omlx.engine.config.OmlxHome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the models that can be asked for by id. */
@Command(name = ListCommand.NAME, description = "List the models in the models folder: id, layout and size.")
final class ListCommand implements Callable<Integer> {
    static final String NAME = "list";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private final CommonOptions common = new CommonOptions();

    private final Streams streams;
    private final Supplier<OmlxHome> places;

    ListCommand(Streams streams, Supplier<OmlxHome> places) {
        this.streams = streams;
        this.places = places;
    }

    @Override
    public Integer call() {
        OmlxHome home = places.get();
        List<ModelLocation> models = home.models().list();
        if (models.isEmpty()) {
            streams.err()
                    .println(
                            OmlxCommand.NAME + ": no models in " + home.folder().resolve("models"));
        }
        int width = models.stream().mapToInt(model -> model.id().length()).max().orElse(0);
        for (ModelLocation model : models) {
            streams.out()
                    .printf("%-" + width + "s  %-11s  %s%n", model.id(), model.layout(), Sizes.readable(model.bytes()));
        }
        return Cli.OK;
    }
}
