package dev.omlx.ffi;

import java.util.Locale;

/** An operating system and an architecture, under the names that the folders of the native library carry. */
record NativePlatform(String os, String arch) {

    /** The platform of this process. */
    static NativePlatform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** From the JVM's own names, such as {@code Mac OS X} and {@code aarch64}. */
    static NativePlatform of(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String arch = osArch.toLowerCase(Locale.ROOT);
        return new NativePlatform(
                os.startsWith("mac") ? "macos" : os,
                switch (arch) {
                    case "amd64", "x86-64" -> "x86_64";
                    case "aarch64" -> "arm64";
                    default -> arch;
                });
    }

    boolean isMac() {
        return os.equals("macos");
    }

    /** The file name of a shared library: {@code libmlxc.so} or {@code libmlxc.dylib}. */
    String libraryFile(String name) {
        return "lib" + name + (isMac() ? ".dylib" : ".so");
    }

    /** {@code linux-x86_64}, {@code macos-arm64}. */
    @Override
    public String toString() {
        return os + "-" + arch;
    }
}
