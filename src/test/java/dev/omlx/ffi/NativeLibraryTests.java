package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finding the native library, without loading it. */
class NativeLibraryTests {

    private static final NativePlatform LINUX = new NativePlatform("linux", "x86_64");
    private static final NativeFiles NO_JAR = name -> null;

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86_64, libmlxc.so",
        "Linux, aarch64, linux-arm64, libmlxc.so",
        "Mac OS X, aarch64, macos-arm64, libmlxc.dylib",
        "Mac OS X, x86_64, macos-x86_64, libmlxc.dylib"
    })
    void platformsHaveTheNamesThatTheBuildUses(String os, String arch, String folder, String file) {
        NativePlatform platform = NativePlatform.of(os, arch);

        assertThat(platform).hasToString(folder);
        assertThat(platform.libraryFile("mlxc")).isEqualTo(file);
    }

    @Test
    void theBuildOfTheProjectIsFound() throws IOException {
        Path built = library(temp.resolve("native-lib/dist/linux-x86_64"));

        assertThat(MlxLibrary.locate(new NativeSearch(null, temp, temp.resolve("cache")), LINUX, NO_JAR))
                .isEqualTo(built);
    }

    @Test
    void aConfiguredFolderIsTheOnlyOneTried() throws IOException {
        library(temp.resolve("native-lib/dist/linux-x86_64"));
        Path configured = library(temp.resolve("mine"));

        assertThat(locate(configured)).isEqualTo(configured);
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> locate(temp.resolve("absent")))
                .withMessageContainingAll("libmlxc.so", temp.resolve("absent").toString(), "configured folder");
    }

    @Test
    void aMissingLibraryIsNamedWithTheScriptThatBuildsIt() {
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> locate(null))
                .withMessageContainingAll(
                        "linux-x86_64",
                        temp.resolve("native-lib/dist/linux-x86_64").toString(),
                        "native-lib/build.sh");
    }

    @Test
    void anIntelJavaOnMacIsRefused() {
        NativePlatform intel = NativePlatform.of("Mac OS X", "x86_64");

        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> MlxLibrary.locate(new NativeSearch(null, temp, temp), intel, NO_JAR))
                .withMessageContaining("arm64");
    }

    @Test
    void anotherVersionOfMlxIsRefused() {
        MlxLibrary.checkVersion(MlxLibrary.MLX_VERSION);

        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> MlxLibrary.checkVersion("0.32.4"))
                .withMessageContainingAll("0.32.4", MlxLibrary.MLX_VERSION, MlxLibrary.MLX_C_VERSION);
    }

    @Test
    void allPinsNameTheVersionsOfTheBindings() throws IOException {
        Path nativeLib = Path.of("native-lib");
        try (Stream<Path> pins = Files.list(nativeLib.resolve("pins"))) {
            List<Path> platforms =
                    pins.filter(file -> file.toString().contains("64")).toList();
            assertThat(platforms)
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(file)
                            .content()
                            .containsPattern("(?m)^mlx-(cpu|metal)==\\Q" + MlxLibrary.MLX_VERSION + "\\E "));
        }
        assertThat(nativeLib.resolve("CMakeLists.txt"))
                .content()
                .contains("find_package(MLX " + MlxLibrary.MLX_VERSION + " EXACT");
        assertThat(nativeLib.resolve("sources/Cargo.toml"))
                .content()
                .contains("mlx-sys = \"=" + MlxLibrary.MLX_C_VERSION + "\"");
        assertThat(nativeLib.resolve("build.sh")).content().contains("/mlx-sys-" + MlxLibrary.MLX_C_VERSION + "/");
    }

    private Path locate(@Nullable Path folder) {
        return MlxLibrary.locate(new NativeSearch(folder, temp, temp.resolve("cache")), LINUX, NO_JAR);
    }

    private static Path library(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("libmlxc.so"), "");
        return folder;
    }
}
