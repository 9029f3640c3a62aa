package io.headgate.control.web;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.ServerThreads;
import io.headgate.control.http.HttpServer;
import io.headgate.control.report.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page to browsers on this machine, and sends all of them the same lines ten times a
 * second (server-sent events). A viewer that is too slow is skipped, and gets a whole line once it
 * takes more: at most one line waits for it. A request can change nothing, and is refused if it
 * names another host or comes from another site. Data of switches needs the token of the address in
 * the request, since other users of this machine can reach the port as well.
 */
public final class WebServer implements AutoCloseable {
    /** Maximum number of viewers at a time. */
    static final int MAX_VIEWERS = 64;

    private static final int MAX_CLIENTS = 160;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final long LINE_MS = 100;
    private static final long LOOK_MS = 1_000;
    private static final long STOP_TIMEOUT_MS = 15_000;
    private static final String JSON = "application/json";

    /** Files of the page: all there is, and all it may load. */
    private static final Map<String, String> FILES =
            Map.of(
                    "page.html",
                    "text/html; charset=utf-8",
                    "page.css",
                    "text/css; charset=utf-8",
                    "page.js",
                    "text/javascript; charset=utf-8");

    private static final Map<String, String> HEADERS =
            Map.of(
                    "content-security-policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                            + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                            + " frame-ancestors 'none'",
                    "x-content-type-options",
                    "nosniff",
                    "referrer-policy",
                    "no-referrer",
                    "cross-origin-resource-policy",
                    "same-origin",
                    "cache-control",
                    "no-store");

    /** Maximum number of questions at a time, which switches answer one after the other. */
    static final int MAX_QUESTIONS = 4;

    private static final int TOKEN_BYTES = 16;
    private static final int HTTP_PORT = 80;
    private static final int CHUNK_BYTES = 65_536;

    /** Send buffer of a viewer's socket; Linux would let it grow to megabytes of unread lines. */
    private static final int SEND_BUFFER_BYTES = 32_768;

    private static final WriteBufferWaterMark ONE_LINE = new WriteBufferWaterMark(1, 1);
    private static final long TAIL_MS = 250;

    /** A recording that has not grown in this number of checks has lost its writer. */
    private static final int MOST_LOOKS = 40;

    private final @Nullable WebSource source;
    private final List<Path> recordings;
    private final long tailMs;
    private final String token;
    private final ServerThreads threads = new ServerThreads("headgate-page");
    private final ScheduledExecutorService reader =
            Executors.newSingleThreadScheduledExecutor(threads);
    private final ScheduledExecutorService asker =
            Executors.newSingleThreadScheduledExecutor(threads);
    private final HttpServer server;
    private final Set<String> hosts;

    // Used by the server's thread; the value: whether the next line must be whole.
    private final Map<Channel, Boolean> viewers = new HashMap<>();
    private final Set<Channel> asking = new HashSet<>();

    private volatile boolean isWatched;
    private volatile boolean isWholeWanted;

    // Used by the reader's thread.
    private WebSource.@Nullable Lines last;

    /**
     * @param tailMs time between two checks for more of a recording
     */
    WebServer(int port, @Nullable WebSource source, List<Path> recordings, long tailMs)
            throws IOException {
        this.source = source;
        this.recordings = List.copyOf(recordings);
        this.tailMs = tailMs;
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.token = HexFormat.of().formatHex(random);
        this.server =
                HttpServer.start(
                        "headgate-page-io",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        new HttpServer.Limits(MAX_CLIENTS, MAX_CLIENTS, REQUEST_TIMEOUT),
                        this::answer);
        this.hosts = hosts(server.port());
        var _ =
                reader.scheduleAtFixedRate(
                        guarded("the page", this::sendLine),
                        LINE_MS,
                        LINE_MS,
                        TimeUnit.MILLISECONDS);
        var _ =
                asker.scheduleWithFixedDelay(
                        guarded("the page", this::lookIfWatched),
                        LOOK_MS,
                        LOOK_MS,
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Starts serving on the loopback interface.
     *
     * @param port 0: any that is free
     * @throws IOException if the port cannot be had; nothing is left behind
     */
    public static WebServer start(int port, WebSource source) throws IOException {
        return new WebServer(port, source, List.of(), TAIL_MS);
    }

    /**
     * Starts serving recordings for playback; they may still be growing.
     *
     * @param recordings one, or two to be shown side by side; if one is {@link
     *     RecordingFile#unfinished}, its final path
     * @throws IOException if the port cannot be had; nothing is left behind
     */
    public static WebServer play(int port, List<Path> recordings) throws IOException {
        return new WebServer(port, null, recordings, TAIL_MS);
    }

    /** The address of the page, with the token that its requests need. */
    public String url() {
        return page() + "#" + token;
    }

    private String page() {
        return server.url() + "/";
    }

    /**
     * The names that browsers may use for a port of this machine: without the port if it is the
     * usual one.
     */
    static Set<String> hosts(int port) {
        Set<String> hosts = new HashSet<>();
        for (String name : List.of("127.0.0.1", "localhost", "[::1]")) {
            hosts.add(name + ":" + port);
            if (port == HTTP_PORT) {
                hosts.add(name);
            }
        }
        return hosts;
    }

    /** Wraps repeated work, so that one failure does not end its repetition. */
    static Runnable guarded(String what, Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                System.err.println("headgate: " + what + ": " + Reason.of(e));
            }
        };
    }

    private void lookIfWatched() {
        if (isWatched && source != null) {
            source.look();
        }
    }

    /** Reads the counters once, for all viewers. */
    void sendLine() {
        if (!isWatched || source == null) {
            return;
        }
        WebSource.Lines lines = source.lines();
        boolean isNew = !lines.equals(last);
        last = lines;
        String next = lines.next();
        String whole = null;
        if (isNew || isWholeWanted) {
            isWholeWanted = false;
            whole = lines.whole();
        }
        byte[] change = isNew ? null : event(next);
        byte[] all = whole == null ? null : event(whole);
        server.execute(() -> send(change, all));
    }

    private static byte[] event(String line) {
        return ("data: " + line + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sends a line to each viewer that can take more now.
     *
     * @param change null: the viewers' lines are outdated, so that all need the whole
     */
    private void send(byte @Nullable [] change, byte @Nullable [] whole) {
        // A write to a connection that has ended takes the viewer out at once.
        for (Channel channel : List.copyOf(viewers.keySet())) {
            boolean needsWhole = change == null || viewers.getOrDefault(channel, true);
            byte[] line = needsWhole ? whole : change;
            if (!channel.isWritable() || line == null) {
                viewers.put(channel, true);
                isWholeWanted = true;
            } else {
                viewers.put(channel, false);
                channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(line)))
                        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            }
        }
    }

    private @Nullable FullHttpResponse answer(
            ChannelHandlerContext context, FullHttpRequest request) {
        Channel channel = context.channel();
        if (viewers.containsKey(channel) || asking.contains(channel)) {
            var _ = channel.close();
            return null;
        }
        QueryStringDecoder asked = new QueryStringDecoder(request.uri());
        String refusal = refusal(request, asked.path());
        FullHttpResponse answer =
                !refusal.isEmpty()
                        ? HttpServer.text(HttpResponseStatus.FORBIDDEN, refusal)
                        : !request.method().equals(HttpMethod.GET)
                                ? HttpServer.text(
                                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                                        "only GET is allowed: the page is read-only")
                                : answer(channel, asked);
        if (answer != null) {
            HEADERS.forEach((name, value) -> answer.headers().set(name, value));
        }
        return answer;
    }

    /**
     * Why a request is refused; empty if it is not. A page of another site can neither read this
     * one through a name that leads here, nor make a browser send requests to it; it may only link
     * to it.
     */
    private String refusal(FullHttpRequest request, String path) {
        HttpHeaders headers = request.headers();
        List<String> host = headers.getAll(HttpHeaderNames.HOST);
        if (host.size() != 1 || !hosts.contains(host.getFirst())) {
            return "this page is at "
                    + page()
                    + " or the same with localhost, and under no other name or port; with ssh -L,"
                    + " both ports must be the same";
        }
        for (String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
            if (!origin.startsWith("http://") || !hosts.contains(origin.substring(7))) {
                return "requests from other sites are refused";
            }
        }
        boolean isLink = path.equals("/") && "navigate".equals(headers.get("sec-fetch-mode"));
        for (String site : headers.getAll("sec-fetch-site")) {
            if (!site.equals("same-origin") && !site.equals("none") && !isLink) {
                return "requests from other sites are refused";
            }
        }
        return "";
    }

    private @Nullable FullHttpResponse answer(Channel channel, QueryStringDecoder asked) {
        String name = asked.path().equals("/") ? "page.html" : asked.path().substring(1);
        String type = FILES.get(name);
        if (type != null) {
            return file(name, type);
        }
        if (!isToken(parameter(asked, "token"))) {
            return HttpServer.text(
                    HttpResponseStatus.FORBIDDEN,
                    "the whole address is needed, as printed when the page was started: "
                            + page()
                            + "#...");
        }
        return switch (name) {
            case "about" -> about();
            case "live" -> source == null ? nothingRuns() : view(channel, source);
            case "explain" -> source == null ? nothingRuns() : explain(channel, asked, source);
            case "recording/0" -> recording(channel, 0);
            case "recording/1" -> recording(channel, 1);
            default -> HttpServer.text(HttpResponseStatus.NOT_FOUND, "the page is at /");
        };
    }

    private boolean isToken(String text) {
        return MessageDigest.isEqual(
                text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static FullHttpResponse file(String name, String type) {
        try (InputStream in = WebServer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return HttpServer.response(
                    HttpResponseStatus.OK, type, Unpooled.wrappedBuffer(in.readAllBytes()), false);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FullHttpResponse nothingRuns() {
        return HttpServer.text(
                HttpResponseStatus.NOT_FOUND, "no switch runs here: the page plays recordings");
    }

    private FullHttpResponse about() {
        List<String> names =
                recordings.stream()
                        .map(file -> String.valueOf(RecordingFile.finished(file).getFileName()))
                        .toList();
        return json(
                Json.COMPACT.writeValueAsString(
                        Map.of("live", source != null, "recordings", names)));
    }

    private static FullHttpResponse json(String text) {
        ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        return HttpServer.response(HttpResponseStatus.OK, JSON, body, false);
    }

    /**
     * Sends a recording, and the lines that are still being written to it: the page recognises its
     * end.
     */
    private @Nullable FullHttpResponse recording(Channel channel, int number) {
        if (number >= recordings.size()) {
            return HttpServer.text(HttpResponseStatus.NOT_FOUND, "there is no such recording");
        }
        FileChannel file;
        try {
            file = open(recordings.get(number));
        } catch (IOException e) {
            return HttpServer.text(
                    HttpResponseStatus.NOT_FOUND, "it cannot be read: " + Reason.of(e));
        }
        asking.add(channel);
        channel.closeFuture()
                .addListener(_ -> {
                    asking.remove(channel);
                    file.close();
                });
        begin(channel, "application/octet-stream");
        sendMore(channel, file, 0);
        return null;
    }

    private static FileChannel open(Path named) throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(named, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            file = FileChannel.open(RecordingFile.finished(named), StandardOpenOption.READ);
        }
        if (file.size() == 0) {
            file.close();
            throw new IOException("nothing is in it yet");
        }
        return file;
    }

    /**
     * At most one chunk waits for a reader.
     *
     * @param looks number of consecutive checks without more data
     */
    private void sendMore(Channel channel, FileChannel file, int looks) {
        if (!channel.isActive()) {
            return;
        }
        ByteBuf chunk = channel.alloc().buffer(CHUNK_BYTES);
        int length;
        try {
            length = chunk.writeBytes(file, CHUNK_BYTES);
        } catch (IOException e) {
            length = -1;
        }
        if (length <= 0) {
            chunk.release();
            if (looks == MOST_LOOKS) {
                channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                        .addListener(ChannelFutureListener.CLOSE);
                return;
            }
            var _ =
                    channel.eventLoop()
                            .schedule(
                                    () -> sendMore(channel, file, looks + 1),
                                    tailMs,
                                    TimeUnit.MILLISECONDS);
        } else {
            channel.writeAndFlush(new DefaultHttpContent(chunk))
                    .addListener(sent -> {
                        if (sent.isSuccess()) {
                            sendMore(channel, file, 0);
                        } else {
                            var _ = channel.close();
                        }
                    });
        }
    }

    /** Sends the head of an answer of unknown length. */
    private void begin(Channel channel, String type) {
        HttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HEADERS.forEach((header, value) -> response.headers().set(header, value));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        HttpUtil.setTransferEncodingChunked(response, true);
        server.keep(channel);
        channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private @Nullable FullHttpResponse view(Channel channel, WebSource live) {
        if (viewers.size() >= MAX_VIEWERS) {
            return HttpServer.text(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    MAX_VIEWERS + " viewers watch already; close a page");
        }
        channel.config().setWriteBufferWaterMark(ONE_LINE);
        channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        boolean isFirst = viewers.isEmpty();
        viewers.put(channel, true);
        isWholeWanted = true;
        isWatched = true;
        channel.closeFuture().addListener(_ -> gone(channel));
        begin(channel, "text/event-stream");
        if (isFirst) {
            ask(live::look);
        }
        return null;
    }

    private void gone(Channel channel) {
        viewers.remove(channel);
        isWatched = !viewers.isEmpty();
    }

    private @Nullable FullHttpResponse explain(
            Channel channel, QueryStringDecoder asked, WebSource live) {
        String at = parameter(asked, "at");
        String priority = parameter(asked, "priority");
        boolean isPausing = !parameter(asked, "pausing").isEmpty();
        int colon = at.lastIndexOf(':');
        if (colon < 1 || !priority.matches("[0-7]")) {
            return HttpServer.text(
                    HttpResponseStatus.BAD_REQUEST,
                    "explain needs at=SWITCH:PORT and priority=0 to 7");
        }
        if (asking.size() >= MAX_QUESTIONS) {
            return HttpServer.text(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    MAX_QUESTIONS + " requests already wait for switches; try again later");
        }
        asking.add(channel);
        ask(() -> {
            FullHttpResponse answer =
                    explain(
                            live,
                            at.substring(0, colon),
                            at.substring(colon + 1),
                            Integer.parseInt(priority),
                            isPausing);
            HEADERS.forEach((name, value) -> answer.headers().set(name, value));
            server.execute(() -> {
                asking.remove(channel);
                channel.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            });
        });
        return null;
    }

    /** Answers a question in any case, and then no longer counts it as open. */
    private static FullHttpResponse explain(
            WebSource live, String node, String port, int priority, boolean isPausing) {
        try {
            return json(live.explain(node, port, priority, isPausing));
        } catch (DaemonException e) {
            return HttpServer.text(HttpResponseStatus.NOT_FOUND, Reason.of(e));
        } catch (RuntimeException e) {
            return HttpServer.text(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR,
                    "the request failed: " + Reason.of(e));
        }
    }

    private static String parameter(QueryStringDecoder asked, String name) {
        Iterator<String> values = asked.parameters().getOrDefault(name, List.of()).iterator();
        return values.hasNext() ? values.next() : "";
    }

    private void ask(Runnable work) {
        try {
            asker.execute(guarded("the page", work));
        } catch (RejectedExecutionException e) {
            // The page is being closed.
            return;
        }
    }

    /** Ends all connections and its threads. */
    @Override
    public void close() {
        reader.shutdownNow();
        asker.shutdownNow();
        server.close();
        boolean _ = threads.awaitGone(STOP_TIMEOUT_MS);
    }
}
