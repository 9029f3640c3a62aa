package io.headgate.control.metrics;

import io.headgate.config.Reason;
import io.headgate.control.http.HttpServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;

/** Serves metrics over HTTP at {@code /metrics}, in the text format that a scraper asks for. */
public final class MetricsServer implements AutoCloseable {
    /** The path of the metrics. */
    public static final String PATH = "/metrics";

    private static final int MAX_CLIENTS = 64;
    private static final int MAX_CLIENTS_PER_PEER = 16;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private final AcceptedFormat formats = new AcceptedFormat();
    private final Supplier<MetricSnapshots> metrics;
    private final HttpServer server;

    MetricsServer(
            InetSocketAddress address, Supplier<MetricSnapshots> metrics, Duration requestTimeout)
            throws IOException {
        this.metrics = metrics;
        this.server =
                HttpServer.start(
                        "headgate-metrics",
                        address,
                        new HttpServer.Limits(MAX_CLIENTS, MAX_CLIENTS_PER_PEER, requestTimeout),
                        this::answer);
    }

    /**
     * Starts serving.
     *
     * @param metrics called by the server's thread for each scrape
     * @throws IOException if the address cannot be bound; nothing is left behind
     */
    public static MetricsServer start(InetSocketAddress address, Supplier<MetricSnapshots> metrics)
            throws IOException {
        return new MetricsServer(address, metrics, REQUEST_TIMEOUT);
    }

    /** The server's address, with its actual port. */
    public String url() {
        return server.url() + PATH;
    }

    private FullHttpResponse answer(ChannelHandlerContext context, FullHttpRequest request) {
        String path = new QueryStringDecoder(request.uri()).path();
        if (!path.equals(PATH)) {
            return HttpServer.text(HttpResponseStatus.NOT_FOUND, "metrics are at " + PATH);
        }
        boolean isHead = request.method().equals(HttpMethod.HEAD);
        if (!isHead && !request.method().equals(HttpMethod.GET)) {
            return HttpServer.text(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are allowed");
        }
        ExpositionFormatWriter writer =
                formats.of(request.headers().getAll(HttpHeaderNames.ACCEPT));
        ByteBuf body = context.alloc().buffer();
        try (ByteBufOutputStream out = new ByteBufOutputStream(body)) {
            writer.write(out, metrics.get());
        } catch (IOException | RuntimeException failure) {
            body.release();
            return HttpServer.text(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR,
                    "the counters cannot be read: " + Reason.of(failure));
        }
        return HttpServer.response(HttpResponseStatus.OK, writer.getContentType(), body, isHead);
    }

    /** Ends all connections and its thread. */
    @Override
    public void close() {
        server.close();
    }
}
