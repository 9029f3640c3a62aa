package io.headgate.control.http;

import io.headgate.config.Reason;
import io.headgate.control.daemon.Clients;
import io.headgate.control.daemon.ServerThreads;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
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
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server with one thread, which also makes the answers. Closes connections that it has no
 * room for.
 */
public final class HttpServer implements AutoCloseable {
    /** Answers requests, in the server's thread. */
    @FunctionalInterface
    public interface Requests {
        /**
         * The answer to a request that is HTTP.
         *
         * @return null if the callee has taken over the connection and answers itself
         */
        @Nullable FullHttpResponse answer(ChannelHandlerContext context, FullHttpRequest request);
    }

    /**
     * The limits of connections.
     *
     * @param clients connections at a time
     * @param clientsPerPeer connections at a time from one peer
     * @param requestTimeout time within which a whole request must have arrived
     */
    public record Limits(int clients, int clientsPerPeer, Duration requestTimeout) {}

    private static final int MAX_REQUEST_BYTES = 8_192;
    // Between two scrapes: as long as scrapers wait at most.
    private static final int IDLE_TIMEOUT_S = 120;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final long STOP_TIMEOUT_MS = 15_000;

    private final ServerThreads threads;
    private final MultiThreadIoEventLoopGroup io;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Clients clients;
    private final Limits limits;
    private final Requests requests;
    private InetSocketAddress address;

    private HttpServer(String name, InetSocketAddress address, Limits limits, Requests requests) {
        this.threads = new ServerThreads(name);
        this.io = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        this.clients = new Clients(limits.clients, limits.clientsPerPeer);
        this.address = address;
        this.limits = limits;
        this.requests = requests;
    }

    /**
     * Starts serving.
     *
     * @throws IOException if the address cannot be bound; nothing is left behind
     */
    public static HttpServer start(
            String name, InetSocketAddress address, Limits limits, Requests requests)
            throws IOException {
        HttpServer server = new HttpServer(name, address, limits, requests);
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

    public int port() {
        return address.getPort();
    }

    /** Runs work on the server's thread. */
    public void execute(Runnable work) {
        io.execute(work);
    }

    /** Keeps a connection for as long as its client wants it, even without further requests. */
    public void keep(Channel channel) {
        clients.keep(channel, true);
        if (channel.pipeline().get(ReadTimeoutHandler.class) != null) {
            channel.pipeline().remove(ReadTimeoutHandler.class);
        }
    }

    /** The server's address with its actual port, without a path. */
    public String url() {
        String host = address.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
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
                .addLast(new Answers());
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

    /** Closes a connection whose request is not complete in time, or that sends none. */
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
                                        limits.requestTimeout.toMillis(),
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

    /** An answer of one sentence. */
    public static FullHttpResponse text(HttpResponseStatus status, String sentence) {
        ByteBuf body = Unpooled.copiedBuffer(sentence + "\n", StandardCharsets.UTF_8);
        return response(status, "text/plain; charset=utf-8", body, false);
    }

    /** An answer; to a HEAD request without its body. */
    public static FullHttpResponse response(
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

    private final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            clients.asked(context.channel());
            FullHttpResponse answer =
                    request.decoderResult().isSuccess()
                            ? requests.answer(context, request)
                            : text(HttpResponseStatus.BAD_REQUEST, "this is not HTTP");
            if (answer != null) {
                context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            }
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
