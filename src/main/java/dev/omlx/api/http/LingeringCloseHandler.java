package dev.omlx.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets a client read why its request was refused although it is still sending it: the kernel would answer what
 * comes after a close with a reset, and that takes back the response. So only this side is closed at first, and what
 * still comes is thrown away for a while. Stands behind the HTTP codec. Runs on the channel's event loop.
 */
final class LingeringCloseHandler extends ChannelDuplexHandler {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private boolean bodyPending;
    private @Nullable Future<?> end;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            bodyPending = true;
        }
        if (message instanceof LastHttpContent part) {
            // behind what is no HTTP anything may follow
            bodyPending = part.decoderResult().isFailure();
        }
        if (end == null) {
            context.fireChannelRead(message);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (end == null) {
            context.fireChannelReadComplete();
        } else {
            context.read();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a side that cannot be closed is closed
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        boolean lingers = bodyPending && end == null && context.channel().isActive();
        if (lingers && context.channel() instanceof DuplexChannel channel) {
            end = context.executor().schedule(() -> closeNow(context, promise), PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            channel.shutdownOutput();
            context.read();
        } else {
            closeNow(context, promise);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (end != null) {
            end.cancel(false);
        }
        context.fireChannelInactive();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    private static void closeNow(ChannelHandlerContext context, ChannelPromise promise) {
        context.close(promise);
    }
}
