package dev.omlx.api.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Answers in a version that the server speaks: the network layer would answer in the request's, whatever that says.
 * Stands behind the HTTP codec.
 */
@Sharable
final class StatusLineHandler extends ChannelOutboundHandlerAdapter {
    static final StatusLineHandler INSTANCE = new StatusLineHandler();

    private StatusLineHandler() {}

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && !response.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            response.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        context.write(message, promise);
    }
}
