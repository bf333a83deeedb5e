package dev.omlx.api.http;

import dev.omlx.api.ServerProperties;
import io.netty.channel.ChannelPipeline;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/** Bounds what a connection may cost while its client does nothing. */
final class ConnectionLimits implements NettyServerCustomizer {
    private final ServerProperties limits;

    ConnectionLimits(ServerProperties limits) {
        this.limits = limits;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.idleTimeout(limits.idleTimeout()).doOnChannelInit((observer, channel, remote) -> {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addFirst("omlx.stalled-write", new StalledWriteHandler(limits.writeTimeout()));
            pipeline.addAfter(
                    NettyPipeline.HttpCodec, "omlx.slow-header", new SlowHeaderHandler(limits.headerTimeout()));
        });
    }
}
