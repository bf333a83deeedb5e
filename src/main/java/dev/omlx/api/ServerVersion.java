package dev.omlx.api;

import java.util.Optional;

/** The version of the server that is being run. */
public final class ServerVersion {
    private ServerVersion() {}

    /** As the jar's manifest tells it. */
    public static String get() {
        return Optional.ofNullable(ServerVersion.class.getPackage().getImplementationVersion())
                .orElse("(development)");
    }
}
