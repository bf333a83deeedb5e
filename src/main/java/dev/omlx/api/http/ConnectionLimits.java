package dev.omlx.api.http;

import dev.omlx.api.ServerProperties;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/** Bounds what a connection may cost while its client does nothing. */
final class ConnectionLimits implements NettyServerCustomizer {
    /**
     * What the kernel may hold back for a client. Left to itself it takes megabytes, and a client that reads slowly but
     * steadily then looks like one that does not read at all.
     */
    private static final int SEND_BUFFER_BYTES = 128 * 1024;

    private final ServerProperties limits;

    ConnectionLimits(ServerProperties limits) {
        this.limits = limits;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.idleTimeout(limits.idleTimeout())
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES)
                .doOnChannelInit((observer, channel, remote) -> addHandlers(channel.pipeline()));
    }

    private void addHandlers(ChannelPipeline pipeline) {
        pipeline.addFirst("omlx.stalled-write", new StalledWriteHandler(limits.writeTimeout()));
        pipeline.addAfter(NettyPipeline.HttpCodec, "omlx.lingering-close", new LingeringCloseHandler());
        pipeline.addAfter(NettyPipeline.HttpCodec, "omlx.slow-header", new SlowHeaderHandler(limits.headerTimeout()));
    }
}
