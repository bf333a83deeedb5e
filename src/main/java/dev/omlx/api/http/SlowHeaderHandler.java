package dev.omlx.api.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which a request's header comes too slowly. Stands behind the HTTP codec: bytes came in if a
 * read completed, and the header is whole once the codec passes it on. What the codec makes of a header that breaks off
 * with its connection goes no further: nobody waits for an answer. Runs on the channel's event loop.
 */
final class SlowHeaderHandler extends ChannelInboundHandlerAdapter {
    private final long timeoutNanos;
    private boolean betweenRequests = true;
    private boolean decoded;
    private @Nullable Future<?> deadline;

    SlowHeaderHandler(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpObject part && isBrokenOff(part)) {
            ReferenceCountUtil.release(message);
            return;
        }
        decoded = true;
        if (message instanceof HttpRequest) {
            betweenRequests = false;
            disarm();
        }
        if (message instanceof LastHttpContent) {
            betweenRequests = true;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (betweenRequests && !decoded && deadline == null) {
            deadline = context.executor().schedule(() -> close(context), timeoutNanos, TimeUnit.NANOSECONDS);
        }
        decoded = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        disarm();
        context.fireChannelInactive();
    }

    private static boolean isBrokenOff(HttpObject part) {
        return part.decoderResult().cause() instanceof PrematureChannelClosureException;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is closed
    private static void close(ChannelHandlerContext context) {
        context.close();
    }

    private void disarm() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
