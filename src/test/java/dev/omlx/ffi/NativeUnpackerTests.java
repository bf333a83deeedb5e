package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeUnpackerTests {

    private static final Map<String, String> FILES = Map.of("libmlx.so", "the library", "mlx.metallib", "the kernels");

    @TempDir
    Path cache;

    @Test
    void unpacksEveryFileOfTheManifest() throws IOException {
        Path folder = unpack(jar(FILES));

        assertThat(folder.getParent()).isEqualTo(cache);
        assertThat(names(folder)).containsExactlyInAnyOrder("libmlx.so", "mlx.metallib");
        assertThat(folder.resolve("libmlx.so")).hasContent("the library");
        assertThat(names(cache)).hasSize(1);
    }

    @Test
    void aJarWithoutALibraryIsNoError() {
        assertThat(new NativeUnpacker(name -> null, cache).unpack()).isEmpty();
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void theNextStartReadsOnlyTheManifest() {
        Path first = unpack(jar(FILES));
        Set<String> read = new HashSet<>();

        Path second = unpack(name -> {
            read.add(name);
            return jar(FILES).open(name);
        });

        assertThat(second).isEqualTo(first);
        assertThat(read).containsExactly(NativeManifest.FILE_NAME);
    }

    @Test
    void anotherLibraryGetsAnotherFolder() {
        Path one = unpack(jar(FILES));
        Path other = unpack(jar(Map.of("libmlx.so", "a newer one")));

        assertThat(other).isNotEqualTo(one);
        assertThat(one.resolve("libmlx.so")).hasContent("the library");
    }

    @Test
    void anInterruptedUnpackingLeavesNothingThatPassesAsDone() throws IOException {
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> unpack(name -> {
                    if (name.equals("mlx.metallib")) {
                        throw new IOException("the disk is full");
                    }
                    return jar(FILES).open(name);
                }))
                .withMessageContainingAll(cache.toString(), "the disk is full");
        assertThat(cache).isEmptyDirectory();

        Files.createDirectories(cache.resolve("unpacking-of-a-killed-process"));
        assertThat(unpack(jar(FILES)).resolve("mlx.metallib")).hasContent("the kernels");
    }

    @Test
    void aDamagedFolderIsUnpackedAgain() throws IOException {
        Path folder = unpack(jar(FILES));
        Files.writeString(folder.resolve("libmlx.so"), "half");
        Files.delete(folder.resolve("mlx.metallib"));

        assertThat(unpack(jar(FILES))).isEqualTo(folder);

        assertThat(folder.resolve("libmlx.so")).hasContent("the library");
        assertThat(folder.resolve("mlx.metallib")).hasContent("the kernels");
        assertThat(names(cache)).hasSize(1);
    }

    @Test
    void aFileThatDoesNotMatchItsChecksumIsRefused() {
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> unpack(name -> name.equals("libmlx.so")
                        ? stream("the 1ibrary")
                        : jar(FILES).open(name)))
                .withMessageContainingAll("libmlx.so", "checksum");
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void aFileThatIsMissingFromTheJarIsNamed() {
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> unpack(
                        name -> name.equals("libmlx.so") ? null : jar(FILES).open(name)))
                .withMessageContaining("libmlx.so");
    }

    @Test
    void aManifestCannotNameFilesElsewhere() {
        String line = "0".repeat(64) + " 3 ../libmlx.so";

        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> NativeManifest.parse(line.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("../libmlx.so");
    }

    @Test
    void manyProcessesAtOnceEndWithOneWholeFolder() throws Exception {
        int count = 8;
        CyclicBarrier allHaveLooked = new CyclicBarrier(count);
        try (ExecutorService processes = Executors.newFixedThreadPool(count)) {
            List<Future<Path>> folders = IntStream.range(0, count)
                    .mapToObj(i -> processes.submit(() -> unpack(name -> {
                        if (name.equals("libmlx.so")) {
                            await(allHaveLooked);
                        }
                        return jar(FILES).open(name);
                    })))
                    .toList();
            Set<Path> distinct = new HashSet<>();
            for (Future<Path> folder : folders) {
                distinct.add(folder.get());
            }
            assertThat(distinct).hasSize(1);
        }
        assertThat(names(cache)).hasSize(1);
        assertThat(unpack(jar(FILES)).resolve("libmlx.so")).hasContent("the library");
    }

    @Test
    void whatNobodyUsesAnyMoreGoes() throws IOException {
        Path old = folderOfAge("0123456789abcdef", Duration.ofDays(31));
        Path used = folderOfAge("fedcba9876543210", Duration.ofDays(29));
        Path killed = folderOfAge("unpacking-1", Duration.ofHours(2));
        Path unpacking = folderOfAge("unpacking-2", Duration.ofMinutes(1));
        Path ofOthers = folderOfAge("tokenizers", Duration.ofDays(31));

        unpack(jar(FILES));

        assertThat(old).doesNotExist();
        assertThat(used).exists();
        assertThat(killed).doesNotExist();
        assertThat(unpacking).exists();
        assertThat(ofOthers).isNotEmptyDirectory();
    }

    private Path folderOfAge(String name, Duration age) throws IOException {
        Path folder = Files.createDirectories(cache.resolve(name));
        Files.writeString(folder.resolve("libmlx.so"), name);
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
        return folder;
    }

    private Path unpack(NativeFiles jar) {
        return new NativeUnpacker(jar, cache).unpack().orElseThrow();
    }

    private static NativeFiles jar(Map<String, String> files) {
        return name -> {
            String content = files.get(name);
            return content != null
                    ? stream(content)
                    : name.equals(NativeManifest.FILE_NAME) ? stream(manifest(files)) : null;
        };
    }

    private static String manifest(Map<String, String> files) {
        StringBuilder manifest = new StringBuilder();
        files.forEach((name, content) -> {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            String hash = HexFormat.of().formatHex(NativeManifest.sha256().digest(bytes));
            manifest.append(hash + " " + bytes.length + " " + name + "\n");
        });
        return manifest.toString();
    }

    private static InputStream stream(String content) {
        return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
    }

    private static void await(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
