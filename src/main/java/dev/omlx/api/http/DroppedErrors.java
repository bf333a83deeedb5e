package dev.omlx.api.http;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Hooks;

/**
 * What becomes of errors that come when nobody waits for them any more. That a client has gone is no news then: the
 * network layer tells it to the body's reader, and again when the response cannot be written.
 */
final class DroppedErrors {
    private static final Logger log = LoggerFactory.getLogger(DroppedErrors.class);
    private static final AtomicBoolean INSTALLED = new AtomicBoolean();

    private DroppedErrors() {}

    /** Has effect once for the whole process, as Reactor's hooks are the process's. */
    static void install() {
        if (INSTALLED.compareAndSet(false, true)) {
            Hooks.onErrorDropped(DroppedErrors::log);
        }
    }

    private static void log(Throwable failure) {
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            log.debug("a client has gone", failure);
        } else {
            log.error("an error came after its stream had ended", failure);
        }
    }
}
