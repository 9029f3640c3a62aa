package io.headgate.control.daemon;

import io.headgate.config.Reason;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Serves {@link ControlApi} on a Unix domain socket that only its owner may open. */
final class ControlServer implements AutoCloseable {
    private static final long QUIET_MS = 0;
    private static final long STOP_TIMEOUT_MS = 15_000;

    private final ServerThreads ioThreads = new ServerThreads("headgate-control-io");
    private final MultiThreadIoEventLoopGroup io =
            new MultiThreadIoEventLoopGroup(1, ioThreads, NioIoHandler.newFactory());
    // Requests wait for the halves' owners; that must not stop the thread that reads sockets.
    private final ServerThreads requestThreads = new ServerThreads("headgate-control");
    private final ExecutorService requests = Executors.newSingleThreadExecutor(requestThreads);
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    // All are of one user, who alone may open the socket.
    private final Clients clients = new Clients(ControlApi.MAX_CLIENTS, ControlApi.MAX_CLIENTS);
    private final ControlApi api;
    private final Path socket;

    private ControlServer(Path socket, ControlApi api) {
        this.socket = socket;
        this.api = api;
    }

    /**
     * Starts serving. Other users must not have access to the socket's directory until this
     * returns.
     *
     * @throws IOException if the socket cannot be made
     */
    static ControlServer start(Path socket, ControlApi api) throws IOException {
        ControlServer server = new ControlServer(socket, api);
        try {
            server.bind();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            return server;
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
    }

    private void bind() throws IOException {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(io)
                        .channel(NioServerDomainSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel);
                                    }
                                });
        var bound = bootstrap.bind(UnixDomainSocketAddress.of(socket)).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(Reason.of(bound.cause()), bound.cause());
        }
        channels.add(bound.channel());
    }

    private void accept(Channel channel) {
        channels.add(channel);
        if (!clients.admit(channel, socket)) {
            send(
                    channel,
                    ControlApi.refusal(
                            "too many clients capture or trace; try again when one has ended"),
                    true);
            return;
        }
        channel.pipeline().addLast(new LineBasedFrameDecoder(ControlApi.MAX_REQUEST_BYTES));
        channel.pipeline().addLast(new Requests());
    }

    /** Sends a line; disconnects a client that cannot be reached or that has got its last line. */
    private static void send(Channel channel, String line, boolean last) {
        write(channel, line)
                .addListener(
                        last
                                ? ChannelFutureListener.CLOSE
                                : ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private static ChannelFuture write(Channel channel, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        return channel.writeAndFlush(channel.alloc().buffer(bytes.length).writeBytes(bytes));
    }

    private final class Requests extends SimpleChannelInboundHandler<ByteBuf> {
        private final ControlApi.Client client = new ControlApi.Client();

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context.channel(), api.greeting(), false);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
            String request;
            try {
                request = StandardCharsets.UTF_8.newDecoder().decode(line.nioBuffer()).toString();
            } catch (CharacterCodingException e) {
                send(
                        context.channel(),
                        ControlApi.refusal("a request must be text in UTF-8"),
                        false);
                return;
            }
            if (!request.isBlank()) {
                clients.asked(context.channel());
                clients.keep(context.channel(), true);
                requests.execute(() -> answer(context.channel(), request));
            }
        }

        private void answer(Channel channel, String request) {
            String answer = api.answer(client, request);
            boolean isAtWork = client.isAtWork();
            write(channel, answer)
                    .addListener(written -> {
                        clients.keep(channel, isAtWork);
                        // Written or not: a client that went away has still asked.
                        client.onAnswered().run();
                    });
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            clients.gone(context.channel());
            requests.execute(client::close);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof TooLongFrameException) {
                String sentence =
                        "a request has at most " + ControlApi.MAX_REQUEST_BYTES + " bytes";
                send(context.channel(), ControlApi.refusal(sentence), true);
            } else {
                var _ = context.close();
            }
        }
    }

    /** Ends all connections with their captures, ends its threads, and removes the socket. */
    @Override
    public void close() {
        channels.close().awaitUninterruptibly(STOP_TIMEOUT_MS);
        io.shutdownGracefully(QUIET_MS, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_TIMEOUT_MS);
        // Last, as lost connections hand their captures to it to be ended.
        requests.close();
        // Bounded as all else here; they are daemons, and hold nothing any more.
        boolean _ = ioThreads.awaitGone(STOP_TIMEOUT_MS);
        boolean _ = requestThreads.awaitGone(STOP_TIMEOUT_MS);
        try {
            Files.deleteIfExists(socket);
        } catch (IOException left) {
            // The run directory is removed next, and says so if it cannot be.
            return;
        }
    }
}
