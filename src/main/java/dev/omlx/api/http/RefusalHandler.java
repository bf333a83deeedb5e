package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.api.error.Errors;
import dev.omlx.api.error.RequestId;
import dev.omlx.api.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Gives the shape of all errors to what the network layer refuses by itself, with an empty body: bytes that are no HTTP,
 * hosts that are none, and lines or headers that are too long. It would also answer in the request's version, whatever
 * that says; this answers in one that the server speaks. Stands behind the HTTP codec. Runs on the channel's event loop.
 */
final class RefusalHandler extends ChannelOutboundHandlerAdapter {
    private final Errors errors;

    RefusalHandler(Errors errors) {
        this.errors = errors;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && !response.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            response.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        boolean bare = message instanceof FullHttpResponse refusal && isBare(refusal);
        context.write(bare ? explained(context, (FullHttpResponse) message) : message, promise);
    }

    /** All that comes from above has a name. */
    private static boolean isBare(FullHttpResponse response) {
        return HttpStatusClass.CLIENT_ERROR.contains(response.status().code())
                && !response.content().isReadable()
                && !response.headers().contains(RequestId.HEADER);
    }

    private FullHttpResponse explained(ChannelHandlerContext context, FullHttpResponse bare) {
        String id = RequestId.random();
        ApiError error = ApiError.of(ErrorKind.INVALID_REQUEST, reason(bare.status()));
        ByteBuf body =
                ByteBufUtil.writeUtf8(context.alloc(), Json.write(errors.body(error, "/", HttpHeaders.EMPTY, id)));
        FullHttpResponse explained = bare.replace(body);
        explained
                .headers()
                .set(RequestId.HEADER, id)
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        bare.release();
        return explained;
    }

    private static String reason(HttpResponseStatus status) {
        if (status.equals(HttpResponseStatus.REQUEST_URI_TOO_LONG)) {
            return "the first line of the request is too long";
        }
        if (status.equals(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)) {
            return "the headers of the request are too large";
        }
        return "the request is not valid HTTP/1.1: its first line, a header such as Host, or its body cannot be read";
    }
}
