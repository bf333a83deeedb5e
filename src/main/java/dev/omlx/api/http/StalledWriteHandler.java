package dev.omlx.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose client takes nothing of what is ready for it. The closing cancels what the connection was
 * waiting for. Looks once a timeout, not at each write, so a stall is found after one to two timeouts. Runs on the
 * channel's event loop.
 */
final class StalledWriteHandler extends ChannelDuplexHandler {
    private static final Logger log = LoggerFactory.getLogger(StalledWriteHandler.class);

    private final long timeoutNanos;
    private @Nullable Future<?> nextLook;

    /** The message that was being written at the last look, and how much of it had been. */
    private @Nullable Object stuck;

    private long stuckProgress;

    StalledWriteHandler(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        context.write(message, promise);
        if (nextLook == null) {
            stuck = null;
            lookLater(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (nextLook != null) {
            nextLook.cancel(false);
        }
        context.fireChannelInactive();
    }

    private void lookLater(ChannelHandlerContext context) {
        nextLook = context.executor().schedule(() -> look(context), timeoutNanos, TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings({
        "FutureReturnValueIgnored", // a connection that cannot be closed is closed
        "ReferenceEquality" // the very same message
    })
    private void look(ChannelHandlerContext context) {
        ChannelOutboundBuffer pending = context.channel().unsafe().outboundBuffer();
        if (pending == null || pending.isEmpty()) {
            nextLook = null;
        } else if (pending.current() == stuck && pending.currentProgress() == stuckProgress) {
            log.info("closing {}: its client takes nothing of what is ready for it", context.channel());
            context.close();
        } else {
            stuck = pending.current();
            stuckProgress = pending.currentProgress();
            lookLater(context);
        }
    }
}
