package io.headgate.testbed.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two labs of two users, a switch and an agent that start, end and crash in random order: each
 * answers from its start until it is stopped.
 */
@Tag("netns")
@Timeout(600)
final class RunBesideTest {
    private static final int UID = 61_003;
    private static final int STEPS = 3;
    private static final long SEED = 46;

    /** Something that runs for a while, several times. */
    private final class Actor {
        private final String name;
        private final Path base;
        private final String ready;
        private final Starter starter;
        private final List<String> switches;
        private @Nullable Process process;

        Actor(String name, Path base, String ready, List<String> switches, Starter starter) {
            this.name = name;
            this.base = base;
            this.ready = ready;
            this.switches = switches;
            this.starter = starter;
        }

        void start() throws Exception {
            Process starting = starter.builder().start();
            process = starting;
            started.add(starting);
            BufferedReader said = starting.inputReader(UTF_8);
            StringBuilder all = new StringBuilder();
            for (String line = said.readLine(); ; line = said.readLine()) {
                assertThat(line).as(name + " ended: " + all).isNotNull();
                all.append(line).append('\n');
                if (line.contains(ready)) {
                    break;
                }
            }
            running.add(this);
        }

        /** Asks for its state, as {@code headgate show} does. */
        void ask() throws DaemonException, IOException {
            for (String one : switches) {
                try (SwitchClient client = SwitchClient.connect(base, one)) {
                    assertThat(client.ask("ports", Map.of()).isEmpty()).isFalse();
                }
            }
            if (switches.isEmpty()) {
                Path counters = HostDaemon.hosts(base).resolve(name).resolve("counters");
                assertThat(Files.size(counters)).isPositive();
            }
        }

        void end(boolean crashes) throws Exception {
            synchronized (asking) {
                running.remove(this);
            }
            Process ending = Objects.requireNonNull(process);
            // The lab that another user runs is behind setpriv and the like, which exec.
            if (crashes) {
                ending.toHandle().destroyForcibly();
            } else {
                ending.toHandle().destroy();
            }
            assertThat(ending.waitFor(120, TimeUnit.SECONDS)).as(name + " ends").isTrue();
        }
    }

    private interface Starter {
        ProcessBuilder builder() throws IOException;
    }

    @TempDir private Path directory;
    private final String prefix = "hgn" + ProcessHandle.current().pid() % 10_000 + "-";
    private final List<Process> started = new ArrayList<>();
    private final List<Actor> running = new CopyOnWriteArrayList<>();
    private final Object asking = new Object();
    private final List<String> unanswered = new CopyOnWriteArrayList<>();
    private volatile boolean asks = true;
    private Installed installed;
    private Path results;

    @BeforeEach
    void install() throws IOException {
        installed = Installed.withArchive(directory);
        results = Files.createDirectory(directory.resolve("of-another-user"));
        Files.writeString(
                results.resolve("lab.yaml"),
                """
                topology: {name: t, link: {rate: 50Mbps}, hosts: [{name: h1, at: s1},
                  {name: h2, at: s2}], switches: [s1, s2], links: [{between: [s1, s2]}]}
                """);
        Files.writeString(
                directory.resolve("switch.yaml"),
                "name: %sx\nports: [{name: a, device: {memory: m}}, {name: b, device: {memory: m}}]\n"
                        .formatted(prefix));
        String netns = prefix + "n";
        ip("netns", "add", netns);
        ip("-n", netns, "link", "add", "w1", "type", "veth", "peer", "name", "p1");
        for (String end : List.of("w1", "p1")) {
            ip(
                    "netns", "exec", netns, "ethtool", "-K", end, "tx", "off", "tso", "off", "gso",
                    "off");
        }
        Files.writeString(
                directory.resolve("host.yaml"),
                """
                name: agents
                defaults: {rate: 50Mbps}
                hosts: [{name: %1$sh, tap: {interface: eth0, netns: %1$sn},
                  device: {afpacket: {interface: w1, netns: %1$sn}}}]
                """
                        .formatted(prefix));
    }

    private static void ip(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectErrorStream(true)
                        .start();
        assertThat(process.onExit().join().exitValue()).isZero();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        asks = false;
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        NetnsNetwork.sweep(new LabRecords(LabRecords.DIRECTORY), line -> {});
        ip("netns", "del", prefix + "n");
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
    }

    private List<Actor> actors() {
        Path ours = directory.resolve("run");
        String[] lab = {"lab", results.resolve("lab.yaml") + "", "--shell", "--prefix"};
        String shell = "'exit' ends the shell";
        return new ArrayList<>(
                List.of(
                        new Actor(
                                prefix + "a",
                                ours.resolve("switches"),
                                shell,
                                List.of(prefix + "as1", prefix + "as2"),
                                () -> asRoot(with(lab, prefix + "a", "a"))),
                        new Actor(
                                "of another user",
                                results.resolve("run/switches"),
                                shell,
                                List.of(prefix + "bs1", prefix + "bs2"),
                                () -> asOther(with(lab, prefix + "b", "b"))),
                        new Actor(
                                prefix + "x",
                                ours.resolve("switches"),
                                "running as process",
                                List.of(prefix + "x"),
                                () ->
                                        asRoot(
                                                "switch",
                                                "run",
                                                "--no-warm-up",
                                                "-c",
                                                file("switch.yaml"))),
                        new Actor(
                                prefix + "h",
                                ours.resolve("switches"),
                                "running as process",
                                List.of(),
                                () -> asRoot("host", "run", "-c", file("host.yaml")))));
    }

    private String[] with(String[] lab, String own, String report) {
        List<String> words = new ArrayList<>(List.of(lab));
        words.addAll(List.of(own, "--report", results.resolve(report) + ""));
        return words.toArray(String[]::new);
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private ProcessBuilder asRoot(String... words) {
        ProcessBuilder builder = installed.asRoot(words);
        builder.environment().put("HEADGATE_RUN_DIR", directory.resolve("run").toString());
        return builder;
    }

    private ProcessBuilder asOther(String... words) throws IOException {
        ProcessBuilder builder = installed.as(UID, results, words);
        builder.environment().put("HEADGATE_RUN_DIR", results.resolve("run").toString());
        builder.environment().put("SHELL", "/bin/sh");
        return builder;
    }

    private void askAll() {
        while (asks) {
            synchronized (asking) {
                for (Actor one : List.copyOf(running)) {
                    try {
                        one.ask();
                    } catch (DaemonException | IOException | AssertionError e) {
                        unanswered.add(one.name + ": " + e.getMessage());
                        running.remove(one);
                    }
                }
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Test
    void eachAnswersWhileTheOthersStartAndEnd() throws Exception {
        Thread asker = Thread.ofPlatform().daemon().start(this::askAll);
        Random random = new Random(SEED);
        List<Actor> all = actors();
        Collections.shuffle(all, random);
        for (Actor one : all) {
            one.start();
        }
        boolean crashes = true;
        for (int step = 0; step < STEPS; step++) {
            Actor one = all.get(random.nextInt(all.size()));
            one.end(crashes);
            crashes = random.nextBoolean();
            one.start();
        }
        Collections.shuffle(all, random);
        for (Actor one : all) {
            one.end(false);
        }
        asks = false;
        asker.join();
        assertThat(unanswered).isEmpty();
    }
}
