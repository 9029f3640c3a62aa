package io.headgate.control.metrics;

import io.headgate.config.Reason;
import io.headgate.control.daemon.Clients;
import io.headgate.control.daemon.ServerThreads;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves metrics over HTTP at {@code /metrics}, in the text format that a scraper asks for. */
public final class MetricsServer implements AutoCloseable {
    /** Where metrics are. */
    public static final String PATH = "/metrics";

    private static final int MAX_CLIENTS = 64;
    private static final int MAX_CLIENTS_PER_PEER = 16;
    private static final int MAX_REQUEST_BYTES = 8_192;
    // Between two scrapes: as long as scrapers wait at most.
    private static final int IDLE_TIMEOUT_S = 120;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final long STOP_TIMEOUT_MS = 15_000;

    private final ServerThreads threads = new ServerThreads("headgate-metrics");
    private final MultiThreadIoEventLoopGroup io =
            new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Clients clients = new Clients(MAX_CLIENTS, MAX_CLIENTS_PER_PEER);
    private final AcceptedFormat formats = new AcceptedFormat();
    private final Supplier<MetricSnapshots> metrics;
    private final Duration requestTimeout;
    private InetSocketAddress address;

    private MetricsServer(
            InetSocketAddress address, Supplier<MetricSnapshots> metrics, Duration requestTimeout) {
        this.address = address;
        this.metrics = metrics;
        this.requestTimeout = requestTimeout;
    }

    /**
     * Starts serving.
     *
     * @param metrics asked by the server's thread for each scrape
     * @throws IOException if the address cannot be bound; nothing is left behind
     */
    public static MetricsServer start(InetSocketAddress address, Supplier<MetricSnapshots> metrics)
            throws IOException {
        return start(address, metrics, REQUEST_TIMEOUT);
    }

    /** With another time in which a request must be there whole. */
    static MetricsServer start(
            InetSocketAddress address, Supplier<MetricSnapshots> metrics, Duration requestTimeout)
            throws IOException {
        MetricsServer server = new MetricsServer(address, metrics, requestTimeout);
        var bound =
                new ServerBootstrap()
                        .group(server.io)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        server.accept(channel);
                                    }
                                })
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            server.close();
            throw new IOException(Reason.of(bound.cause()), bound.cause());
        }
        server.address = (InetSocketAddress) bound.channel().localAddress();
        server.channels.add(bound.channel());
        return server;
    }

    /** Where it is reached, with the port that it has. */
    public String url() {
        String host = address.getAddress().getHostAddress();
        return "http://"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + address.getPort()
                + PATH;
    }

    private void accept(Channel channel) {
        channels.add(channel);
        if (!clients.admit(channel, peer(channel))) {
            var _ = channel.close();
            return;
        }
        channel.pipeline()
                .addLast(new ReadTimeoutHandler(IDLE_TIMEOUT_S))
                .addLast(new RequestTimeout())
                .addLast(new HttpServerCodec())
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new HttpObjectAggregator(MAX_REQUEST_BYTES))
                .addLast(new Requests());
    }

    /**
     * The unit that connections are limited by: an IPv4 address, or an IPv6 network, because one
     * host has a whole network.
     */
    private static Object peer(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress address)) {
            return channel.id();
        }
        byte[] bytes = address.getAddress().getAddress();
        return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, IPV6_NETWORK_BYTES));
    }

    /** Ends a connection that began with a request, or only opened, and did not finish it. */
    private final class RequestTimeout extends ChannelDuplexHandler {
        private @Nullable Future<?> end;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            begin(context);
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            begin(context);
            context.fireChannelRead(bytes);
        }

        private void begin(ChannelHandlerContext context) {
            if (end == null) {
                end =
                        context.executor()
                                .schedule(
                                        () -> {
                                            var _ = context.close();
                                        },
                                        requestTimeout.toMillis(),
                                        TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void write(ChannelHandlerContext context, Object answer, ChannelPromise promise) {
            stop();
            var _ = context.write(answer, promise);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            stop();
            context.fireChannelInactive();
        }

        private void stop() {
            if (end != null) {
                end.cancel(false);
                end = null;
            }
        }
    }

    private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            clients.asked(context.channel());
            context.writeAndFlush(answer(context, request))
                    .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }

        private FullHttpResponse answer(ChannelHandlerContext context, FullHttpRequest request) {
            if (!request.decoderResult().isSuccess()) {
                return text(HttpResponseStatus.BAD_REQUEST, "this is not HTTP");
            }
            String path = new QueryStringDecoder(request.uri()).path();
            if (!path.equals(PATH)) {
                return text(HttpResponseStatus.NOT_FOUND, "metrics are at " + PATH);
            }
            boolean isHead = request.method().equals(HttpMethod.HEAD);
            if (!isHead && !request.method().equals(HttpMethod.GET)) {
                return text(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are allowed");
            }
            ExpositionFormatWriter writer =
                    formats.of(request.headers().getAll(HttpHeaderNames.ACCEPT));
            ByteBuf body = context.alloc().buffer();
            try (ByteBufOutputStream out = new ByteBufOutputStream(body)) {
                writer.write(out, metrics.get());
            } catch (IOException | RuntimeException failure) {
                body.release();
                return text(
                        HttpResponseStatus.INTERNAL_SERVER_ERROR,
                        "the counters cannot be read: " + Reason.of(failure));
            }
            return response(HttpResponseStatus.OK, writer.getContentType(), body, isHead);
        }

        private FullHttpResponse text(HttpResponseStatus status, String sentence) {
            ByteBuf body = Unpooled.copiedBuffer(sentence + "\n", StandardCharsets.UTF_8);
            return response(status, "text/plain; charset=utf-8", body, false);
        }

        private static FullHttpResponse response(
                HttpResponseStatus status, String type, ByteBuf body, boolean isHead) {
            int bytes = body.readableBytes();
            FullHttpResponse response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, status, isHead ? body.clear() : body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, type)
                    .set(HttpHeaderNames.CONTENT_LENGTH, bytes);
            return response;
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            clients.gone(context.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A client that went away or said nothing for long.
            var _ = context.close();
        }
    }

    /** Ends all connections and its thread. */
    @Override
    public void close() {
        channels.close().awaitUninterruptibly(STOP_TIMEOUT_MS);
        io.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_TIMEOUT_MS);
        boolean _ = threads.awaitGone(STOP_TIMEOUT_MS);
    }
}
