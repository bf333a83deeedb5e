package dev.omlx.api.http;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Keeps a server that asks nobody for a key from listening where strangers reach it, unless that is wanted. */
final class OpenAddressCheck {
    /** @throws IllegalStateException if the address is open and nobody said that it may be */
    OpenAddressCheck(AuthProperties properties, @Nullable InetAddress address) {
        boolean loopback = address != null && address.isLoopbackAddress();
        if (!loopback && !properties.allowUnauthenticated()) {
            throw new IllegalStateException("the server would listen on "
                    + (address == null ? "every address" : address.getHostAddress())
                    + ", where anyone could use it; listen on 127.0.0.1, or set omlx.auth.allow-unauthenticated=true");
        }
    }
}
