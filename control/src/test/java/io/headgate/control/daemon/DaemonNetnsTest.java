package io.headgate.control.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.cli.HeadgateForTests;
import io.headgate.control.cli.HeadgateForTests.Ran;
import io.headgate.control.cli.OwnProgram;
import io.headgate.control.run.SwitchOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The switch as a daemon between hosts in namespaces, with all that can happen to it. Where it is
 * not the process that is tested, it is in this one; so are commands that ask it, but for one: that
 * a program of its own finds the switch.
 */
@Tag("netns")
final class DaemonNetnsTest {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final long WAIT_NS = 120_000_000_000L;
    private static final int HOSTS = 3;
    private static final Pattern REPLY = Pattern.compile("bytes from .*icmp_seq=(\\d+)");

    /** Network namespaces of these names, without IPv6. */
    private static final String NAMESPACES =
            """
            for name; do
                ip netns add "$name"
                ip netns exec "$name" sysctl -q -w net.ipv6.conf.all.disable_ipv6=1 \\
                    net.ipv6.conf.default.disable_ipv6=1
            done
            """;

    /**
     * A veth from the switch's namespace to a host's; the host's address is the same each time, so
     * that others' ARP caches stay right.
     */
    private static final String CONNECT =
            """
            ip -n "$1" link add "v$3" type veth peer name eth0 netns "$2"
            none='rx off tx off tso off gso off gro off'
            ip netns exec "$1" ethtool -K "v$3" $none
            ip netns exec "$2" ethtool -K eth0 $none
            ip -n "$2" -batch - <<END
            link set eth0 address 02:00:00:00:00:0$3
            addr add 10.9.0.$3/24 dev eth0
            link set eth0 up
            END
            ip -n "$1" link set "v$3" up
            """;

    @TempDir private Path directory;

    private final String prefix =
            "hgc" + ProcessHandle.current().pid() + "x" + COUNTER.incrementAndGet();
    private final String switchSide = prefix + "s";
    private final List<Process> started = new ArrayList<>();
    private final Map<Process, Path> outputs = new HashMap<>();
    private @Nullable SwitchDaemon here;

    @BeforeEach
    void makeHosts() throws Exception {
        System.setProperty(RunDirectory.PROPERTY, directory.toString());
        script(NAMESPACES, namespaces().toArray(String[]::new));
        for (int host = 1; host <= HOSTS; host++) {
            connect(host);
        }
    }

    @AfterEach
    void removeAll() throws Exception {
        System.clearProperty(RunDirectory.PROPERTY);
        try (var _ = here) {
            for (Process process : started) {
                process.destroyForcibly().waitFor();
            }
        }
        script(
                "for name; do ip netns del \"$name\" || :; done",
                namespaces().toArray(String[]::new));
    }

    @Test
    void carriesPingsAndIsLookedAtAndEndsOnTerm() throws Exception {
        Path config = config("s1", HOSTS);
        Process daemon = start(config);
        assertThat(ping(1, 2, 10)).contains(" 0% packet loss");
        Process asking = launch("show", "ports");
        assertThat(asking.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(output(asking)).containsPattern("p1 +up +[1-9][0-9]");
        assertThat(headgate("show", "fdb")).contains("p1", "p2");

        Path capture = directory.resolve("x.pcapng");
        CompletableFuture<Ran> capturing = capture("p1", "-w", capture.toString(), "-c", "4");
        await(() -> size(capture) > 0);
        assertThat(ping(1, 3, 10)).contains(" 0% packet loss");
        Ran captured = capturing.get(180, TimeUnit.SECONDS);
        assertThat(captured.out() + captured.err()).contains("4 frames captured");
        Path trace = directory.resolve("x.json");
        assertThat(headgate("trace", trace.toString(), "--duration", "200ms"))
                .containsPattern("x\\.json: [0-9]+ intervals of 0\\.[1-9][0-9]* s; ui");
        assertThat(trace).content().contains("\"worker 0\"", "\"ph\":\"X\"");

        // The same devices a second time, then the same name.
        assertThat(fails("switch", "run", "--no-warm-up", "-c", config("s2", 1).toString()))
                .contains("port p1: 'v1' in network namespace")
                .contains("is used by another Headgate (process " + daemon.pid() + ")");
        assertThat(fails("switch", "run", "--no-warm-up", "-c", config.toString()))
                .contains("a switch named s1 already runs (process " + daemon.pid() + ")");
        assertThat(ping(1, 2, 3)).contains(" 0% packet loss");

        daemon.destroy();
        assertThat(daemon.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(output(daemon)).contains("s1: stopped, nothing left behind");
        assertThat(RunDirectory.names(directory.resolve("switches"))).isEmpty();
    }

    @Test
    void whatAKillLeavesIsSweptAtTheNextStart() throws Exception {
        Path config = config("s1", HOSTS);
        Process daemon = start(config);
        daemon.destroyForcibly().waitFor();
        assertThat(RunDirectory.names(directory.resolve("switches"))).containsExactly("s1");
        assertThat(fails("show", "ports")).contains("no switch runs");
        Process next = start(config);
        assertThat(ping(1, 2, 3)).contains(" 0% packet loss");
        assertThat(headgate("switch", "stop")).isEmpty();
        assertThat(next.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(next.exitValue()).isZero();
        assertThat(output(next)).contains("removed what killed switches left: s1");
    }

    @Test
    void aPortThatGoesAndComesBackLeavesTheOthersAlone() throws Exception {
        Path log = directory.resolve("log");
        startHere(config("s1", HOSTS), log);
        assertThat(ping(1, 2, 2)).contains(" 0% packet loss");
        // A port that is up first may have sent to one that was not.
        List<String> before = dropsOfTheOthers();
        Process steady = pingBegin(1, 2, 100, "0.05");

        run("ip", "-n", switchSide, "link", "set", "v3", "down");
        await(() -> text(log).contains("port p3: down"));
        run("ip", "-n", switchSide, "link", "set", "v3", "up");
        await(() -> text(log).contains("port p3: up"));
        assertThat(ping(1, 3, 3)).contains(" 0% packet loss");

        run("ip", "-n", switchSide, "link", "del", "v3");
        await(() -> text(log).contains("port p3: gone"));
        connect(3);
        await(() -> text(log).contains("port p3: opened again"));
        await(() -> pingAnswered(1, 3));

        assertThat(steady.waitFor(180, TimeUnit.SECONDS)).isTrue();
        List<Integer> answered =
                REPLY.matcher(output(steady))
                        .results()
                        .map(reply -> Integer.valueOf(reply.group(1)))
                        .toList();
        // None is missing between the first and the last, which may be late.
        assertThat(answered)
                .hasSizeGreaterThan(90)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, answered.size()).boxed().toList());
        assertThat(dropsOfTheOthers()).isEqualTo(before);
    }

    private List<String> dropsOfTheOthers() {
        return headgate("show", "drops")
                .lines()
                .filter(line -> line.matches(" *p[12] .*"))
                .toList();
    }

    /** Changes that others make to a port's interface are reported, and the margin follows. */
    @Test
    void aPortWhoseInterfaceIsChangedIsGuaranteedNoMore() throws Exception {
        Path config = config("s1", 2);
        Files.writeString(
                config,
                Files.readString(config)
                        .replace(
                                "name: s1",
                                "name: s1\ndefaults: {lossless: [3], flow-control: pfc}"));
        Path log = directory.resolve("log");
        startHere(config, log);
        run("ip", "-n", switchSide, "link", "set", "v1", "mtu", "1400");
        await(() ->
                text(log)
                        .contains(
                                "its MTU is now 1400 instead of 1500, so longer frames are lost"));
        assertThat(headgate("show", "flow-control").replaceAll("\\s+", " "))
                .contains("port p1: lossless not guaranteed: another tool changed");
        run("ip", "-n", switchSide, "link", "set", "v1", "mtu", "1500");
        await(() -> text(log).contains("port p1: in order again"));
    }

    @Test
    void aFullDiskEndsTheCaptureAndNothingElse() throws Exception {
        Path small = directory.resolve("small");
        Files.createDirectory(small);
        run("mount", "-t", "tmpfs", "-o", "size=64k", "hgtest", small.toString());
        try {
            startHere(config("s1", 2), directory.resolve("log"));
            await(() -> pingAnswered(1, 2));
            // A port that comes up before the other may drop what its host says of itself
            // meanwhile.
            String drops = headgate("show", "drops");
            Path file = small.resolve("x.pcapng");
            CompletableFuture<Ran> capturing = capture("all", "-w", file.toString());
            await(() -> size(file) > 0);
            assertThat(
                            run(
                                    "ip",
                                    "netns",
                                    "exec",
                                    host(1),
                                    "ping",
                                    "-q",
                                    "-c",
                                    "200",
                                    "-i",
                                    "0.002",
                                    "-s",
                                    "1000",
                                    "10.9.0.2"))
                    .containsPattern(" [0-5](\\.[0-9]+)?% packet loss");
            Ran captured = capturing.get(180, TimeUnit.SECONDS);
            assertThat(captured.code()).isEqualTo(1);
            assertThat(captured.out() + captured.err()).contains("No space left on device");
            assertThat(ping(2, 1, 3)).contains(" 0% packet loss");
            assertThat(headgate("show", "drops")).isEqualTo(drops);
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void doctorFindsAndMendsWhatFailsInSilence() throws Exception {
        run(
                "ip", "netns", "exec", host(1), "ethtool", "-K", "eth0", "tx", "on", "gso", "on",
                "tso", "on");
        run("ip", "netns", "exec", switchSide, "ethtool", "-K", "v2", "gro", "on");
        run("ip", "-n", host(3), "link", "set", "eth0", "mtu", "1400");
        String config = config("s1", HOSTS).toString();
        assertThat(fails("switch", "run", "--no-warm-up", "-c", config))
                .contains("ethtool -K eth0")
                .contains("ip netns exec " + host(1));
        String found = fails("doctor", "-c", config);
        assertThat(found)
                .contains(host(1) + "/eth0: leaves work to hardware offloads")
                .contains(switchSide + "/v2: merges received frames")
                .contains(host(3) + "/eth0: has an MTU of 1400 and its other end 1500");
        assertThat(headgate("doctor", "--fix", "-c", config))
                .contains("corrected by ip netns exec " + host(1) + " ethtool -K eth0")
                .contains("no problem left");
        startHere(Path.of(config), directory.resolve("log"));
        assertThat(ping(1, 3, 3)).contains(" 0% packet loss");
    }

    private String host(int host) {
        return prefix + "h" + host;
    }

    private List<String> namespaces() {
        return Stream.concat(
                        Stream.of(switchSide), IntStream.rangeClosed(1, HOSTS).mapToObj(this::host))
                .toList();
    }

    private static void script(String script, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("sh", "-ec", script, "sh"));
        words.addAll(List.of(arguments));
        run(words.toArray(String[]::new));
    }

    @Test
    void promtoolFindsNothingWrongWithTheMetricsOfASwitchAndOfAnAgent() throws Exception {
        Path ofSwitch =
                Files.writeString(
                        directory.resolve("rich.yaml"),
                        """
                        name: s1
                        address: 10.9.0.100/24
                        defaults:
                          rate: 100Mbps
                          flow-control: pfc
                          lossless: [3]
                          link: {delay: 10us, own-reaction: 50ms, peer-reaction: 50ms}
                          watchdog: {action: drop, detection: 200ms, restoration: 400ms}
                          congestion: {tcd: {}, rocc: {}}
                          detour: {escape: {}}
                        ports:
                          - {name: p1, device: {afpacket: {interface: v1, netns: %1$s, ring: 8192}}}
                          - {name: p2, device: {afpacket: {interface: v2, netns: %1$s, ring: 8192}}}
                        """
                                .formatted(switchSide));
        Path ofAgent =
                Files.writeString(
                        directory.resolve("agent.yaml"),
                        """
                        name: hosts
                        defaults: {rate: 100Mbps, rate-control: {rocc: {}}}
                        hosts:
                          - name: h9
                            tap: {interface: tap0, netns: %1$s}
                            device: {afpacket: {interface: v3, netns: %1$s}}
                        """
                                .formatted(switchSide));
        Process startingSwitch =
                launch(
                        "switch",
                        "run",
                        "--no-warm-up",
                        "--metrics",
                        "0",
                        "-c",
                        ofSwitch.toString());
        Process startingAgent = launch("host", "run", "--metrics", "0", "-c", ofAgent.toString());
        Process daemon = running(startingSwitch);
        assertThat(ping(1, 2, 3)).contains(" 0% packet loss");
        String metrics = metrics(daemon);
        assertThat(metrics)
                .containsPattern("frames_received_total.*p1.* [1-9]")
                .containsPattern("dropped_total.*reason=")
                .containsPattern("lossless_spare_seconds.*p2.* -?[0-9]");
        assertThat(promtool(metrics)).isEmpty();

        Process agent = running(startingAgent);
        metrics = metrics(agent);
        assertThat(metrics).containsPattern("ingress_frames_received_total.*host=\"h9\"");
        assertThat(promtool(metrics)).isEmpty();
    }

    /** What a daemon serves where its output says. */
    private String metrics(Process daemon) throws Exception {
        Pattern url = Pattern.compile("metrics at (http:\\S+)");
        Matcher said = url.matcher(output(daemon));
        assertThat(said.find()).as(output(daemon)).isTrue();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(said.group(1))).build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    /** What Prometheus' own checker has to say about metrics. */
    private String promtool(String metrics) throws Exception {
        Path file = Files.writeString(directory.resolve("metrics"), metrics);
        Process process =
                new ProcessBuilder("promtool", "check", "metrics")
                        .redirectInput(file.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() == 0 ? said : "promtool fails: " + said;
    }

    private void connect(int host) throws Exception {
        script(CONNECT, switchSide, host(host), Integer.toString(host));
    }

    private Path config(String name, int ports) throws IOException {
        StringBuilder yaml = new StringBuilder("name: " + name + "\nports:\n");
        for (int port = 1; port <= ports; port++) {
            yaml.append("  - {name: p" + port + ", device: {afpacket: {interface: v" + port);
            yaml.append(", netns: " + switchSide + ", ring: 256}}}\n");
        }
        return Files.writeString(directory.resolve(name + ".yaml"), yaml.toString());
    }

    private Process start(Path config) throws Exception {
        Path log = directory.resolve("daemon" + started.size() + ".log");
        return running(launchTo(log, "switch", "run", "--no-warm-up", "-c", config.toString()));
    }

    /** In this process: what it says goes to a file, too. */
    private void startHere(Path config, Path log) throws Exception {
        SwitchConfig read = SwitchConfigReader.read(config);
        here =
                SwitchDaemon.start(
                        read,
                        directory.resolve("switches"),
                        new SwitchOptions(false, true, null, line -> append(log, line + "\n")));
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process running(Process daemon) throws Exception {
        await(() -> output(daemon).contains("running as process") || !daemon.isAlive());
        assertThat(output(daemon)).contains("running as process");
        return daemon;
    }

    private Process launch(String... args) throws IOException {
        return launchTo(directory.resolve("command" + started.size() + ".log"), args);
    }

    private Process launchTo(Path log, String... args) throws IOException {
        Process process =
                command(args).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        started.add(process);
        outputs.put(process, log);
        return process;
    }

    private String output(Process process) {
        return text(Objects.requireNonNull(outputs.get(process)));
    }

    /** Runs a command that must succeed; answers what it printed. */
    private static String headgate(String... args) {
        Ran ran = HeadgateForTests.run(args);
        assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
        return ran.out() + ran.err();
    }

    private static CompletableFuture<Ran> capture(String... arguments) {
        List<String> words = new ArrayList<>(List.of("capture"));
        words.addAll(List.of(arguments));
        return CompletableFuture.supplyAsync(
                () -> HeadgateForTests.run(words.toArray(String[]::new)));
    }

    /** Runs a command that must fail with code 1; answers what it printed. */
    private static String fails(String... args) {
        Ran ran = HeadgateForTests.run(args);
        assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(1);
        return ran.out() + ran.err();
    }

    private ProcessBuilder command(String... args) {
        ProcessBuilder builder = new ProcessBuilder(OwnProgram.command(args));
        builder.environment().put("HEADGATE_RUN_DIR", directory.toString());
        return builder;
    }

    /** Ping waits for a late answer for no longer than the others took: then it is run again. */
    private String ping(int from, int to, int count) throws Exception {
        String said = pingOnce(from, to, count);
        for (int attempt = 1; attempt < 5 && !said.contains(" 0% packet loss"); attempt++) {
            said = pingOnce(from, to, count);
        }
        return said;
    }

    private String pingOnce(int from, int to, int count) throws Exception {
        return run(
                "ip",
                "netns",
                "exec",
                host(from),
                "ping",
                "-q",
                "-W",
                "2",
                "-i",
                "0.1",
                "-c",
                "" + count,
                "10.9.0." + to);
    }

    private boolean pingAnswered(int from, int to) {
        try {
            return new ProcessBuilder(
                                    "ip",
                                    "netns",
                                    "exec",
                                    host(from),
                                    "ping",
                                    "-q",
                                    "-W",
                                    "1",
                                    "-c",
                                    "1",
                                    "10.9.0." + to)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Process pingBegin(int from, int to, int count, String interval) throws IOException {
        Path log = directory.resolve("ping.log");
        Process process =
                new ProcessBuilder(
                                "ip",
                                "netns",
                                "exec",
                                host(from),
                                "ping",
                                "-i",
                                interval,
                                "-c",
                                "" + count,
                                "10.9.0." + to)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        started.add(process);
        outputs.put(process, log);
        return process;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command) + ": " + output).isZero();
        return output;
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }

    private String logs() {
        StringBuilder logs = new StringBuilder();
        started.forEach(process -> logs.append('\n').append(output(process)));
        return logs.toString();
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long endNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("waited 40 s; daemons said: " + logs());
            }
            Thread.sleep(20);
        }
    }
}
