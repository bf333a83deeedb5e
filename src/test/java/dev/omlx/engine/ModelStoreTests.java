package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.engine.api.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelStoreTests {
    @TempDir
    private Path folder;

    private ModelStore store;

    @BeforeEach
    void fill() throws IOException {
        touch("models/small/weights.Q4_0.gguf");
        touch("models/owner/name/config.json");
        touch("models/both/a.gguf");
        touch("models/both/b.gguf");
        touch("elsewhere/My-Model.gguf");
        touch("elsewhere/dir/config.json");
        store = new ModelStore(folder.resolve("models"));
    }

    private void touch(String file) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.createFile(folder.resolve(file));
    }

    @Test
    void findsByIdBelowTheModelsFolder() {
        assertThat(store.find("small"))
                .isEqualTo(new ModelLocation("small", folder.resolve("models/small/weights.Q4_0.gguf")));
        assertThat(store.find("owner/name"))
                .isEqualTo(new ModelLocation("owner/name", folder.resolve("models/owner/name")));
    }

    @Test
    void findsByPathAndNamesTheModelAfterItsFile() {
        Path file = folder.resolve("elsewhere/My-Model.gguf");
        assertThat(store.find(file.toString())).isEqualTo(new ModelLocation("My-Model", file));
        Path directory = folder.resolve("elsewhere/dir");
        assertThat(store.find(directory.toString())).isEqualTo(new ModelLocation("dir", directory));
    }

    @Test
    void saysWhatIsNotThere() {
        for (String name : new String[] {"none", "", "both", "../elsewhere", "small\0", "/"}) {
            assertThatThrownBy(() -> store.find(name))
                    .as(name)
                    .isInstanceOf(EngineException.ModelNotFound.class)
                    .hasMessageContaining(name);
        }
    }

    /** The reader of the file then says what is wrong with it. */
    @Test
    void findsByNameWhatCannotBeRead() throws IOException {
        Path loop = folder.resolve("elsewhere/loop.gguf");
        Files.createSymbolicLink(loop, loop);
        assertThat(store.find(loop.toString())).isEqualTo(new ModelLocation("loop", loop));
        assertThatThrownBy(() -> ModelTexts.read(loop))
                .hasMessageStartingWith(loop + ": ")
                .hasMessageContaining("symbolic links");

        Path linked = Files.createDirectories(folder.resolve("models/linked"));
        Files.createSymbolicLink(linked.resolve("config.json"), linked.resolve("config.json"));
        assertThat(store.find("linked").path()).isEqualTo(linked);
        Path nested = folder.resolve("models/nested");
        Files.createDirectories(nested.resolve("config.json"));
        assertThat(store.find("nested").path()).isEqualTo(nested);
    }

    @Test
    void listsAllById() {
        assertThat(store.list()).extracting(ModelLocation::id).containsExactly("owner/name", "small");
    }
}
