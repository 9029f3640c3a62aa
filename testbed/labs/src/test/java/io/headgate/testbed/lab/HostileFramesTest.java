package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.testbed.lab.Balance.HostFrames;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that sends anything but sense: a hundred thousand frames into each kind of device. */
@Tag("netns")
class HostileFramesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int HOSTS = 4;
    private static final int FRAMES = 100_000;
    private static final int SEED = 20_250;

    /**
     * Frames of 14 bytes up to more than any MTU: random bytes, random bytes behind headers that
     * promise something, headers cut short. Prints how many the kernel took.
     */
    private static final String SENDER =
            """
            import random, socket, sys
            seed, count = int(sys.argv[1]), int(sys.argv[2])
            r = random.Random(seed)
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            s.bind(("eth0", 0))
            macs = [bytes.fromhex("0268670000%02x" % h) for h in range(1, 6)]
            macs += [b"\\xff" * 6, b"\\0" * 6, bytes.fromhex("0180c2000001")]
            types = [bytes.fromhex(t) for t in
                     ("0800", "86dd", "0806", "8100", "88a8", "8808", "8847", "0000", "ffff",
                      "8100ffff8100", "8100000088a8", "81000001", "08004f", "080045000000")]
            noise = r.randbytes(20000)
            taken = 0
            for i in range(count):
                length = r.choice((14, 15, 17, 18, 19, 33, 34, 59, 60, 64, r.randrange(14, 1519),
                                   1514, 1515, 1518, 1519, 2000, 9014))
                start = r.randrange(10000)
                body = noise[start:start + length]
                if i % 4:
                    head = r.choice(macs) + r.choice((r.choice(macs), r.randbytes(6)))
                    body = (head + r.choice(types) + body)[:length]
                try:
                    s.send(body)
                    taken += 1
                except OSError:
                    pass
            print("taken", taken)
            """;

    @TempDir private Path directory;
    private final String prefix =
            "hgg" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();

    @ParameterizedTest
    @EnumSource(DeviceKind.class)
    void everyFrameIsAccountedForAndTheOthersGoOn(DeviceKind kind) throws Exception {
        LabOptions options =
                new LabOptions(
                        kind, "single", "backoff", "1Gbps", 1, 1500, false, false, directory,
                        directory, prefix, SEED, false);
        LabPlan plan =
                new LabPlan(
                        Topologies.singleSwitch(HOSTS, LinkSpec.of(1_000_000_000, 0)),
                        options,
                        false,
                        Map.of());
        SwitchOptions how = new SwitchOptions(false, false, null, line -> {});
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (NetnsNetwork network =
                NetnsNetwork.of(plan.topology(), plan.networkOptions(), records, line -> {})) {
            network.build();
            SwitchConfig config = network.plan().switches().getFirst();
            try (RunningSwitch running = RunningSwitch.start(config, how)) {
                if (kind == DeviceKind.TAP) {
                    network.configureHosts();
                }
                await(() -> isUp(running));
                assertThat(isUp(running)).isTrue();
                if (kind != DeviceKind.AFXDP) {
                    // Longer frames than the port takes; with XDP on it the kernel refuses this.
                    String host = network.hostNetns(0);
                    run(network, "ip", "-n", host, "link", "set", "eth0", "mtu", "9000");
                }
                attack(network, running);
            }
        }
    }

    private void attack(NetnsNetwork network, RunningSwitch running) throws Exception {
        LabSwitches switches = new LabSwitches(network.plan(), List.of(running), new LabChanges(0));
        List<HostFrames> before = hostFrames(network);
        LabCounters start = LabCounters.of(switches);
        LinuxInterface.Statistics attacker = network.hostInterface(0).statistics();
        Path script = Files.writeString(directory.resolve("sender.py"), SENDER);
        Programs.Running sender =
                network.programs()
                        .start(
                                network.hostNetns(0),
                                List.of(
                                        "/usr/bin/python3", // Debian's own
                                        script.toString(),
                                        Integer.toString(SEED),
                                        Integer.toString(FRAMES)));
        Ping.Outcome meanwhile = ping(network, 2, 3);
        Programs.Result sent = sender.await(120_000);
        assertThat(sent.output()).as("seed %d", SEED).startsWith("taken ");
        Ping.Outcome afterwards = ping(network, 3, 4);

        long taken = Long.parseLong(sent.output().strip().substring("taken ".length()));
        LinuxInterface.Statistics since = network.hostInterface(0).statistics();
        long left = since.transmittedFrames() - attacker.transmittedFrames();
        long lostByHost = since.transmitDropped() - attacker.transmitDropped();
        assertThat(left).isPositive().isLessThanOrEqualTo(taken + lostByHost);
        assertThat(meanwhile.reachable()).isTrue();
        assertThat(afterwards.reachable()).isTrue();

        await(() -> balance(network, switches, start, before).holds());
        Balance balance = balance(network, switches, start, before);
        assertThat(balance.problems()).as("seed %d: %s", SEED, balance).isEmpty();
        LabCounters counters = LabCounters.of(switches).since(start);
        assertThat(counters.total(Scope.WORKER, WorkerCounter.FAILURES)).isZero();
        assertThat(counters.drops())
                .extracting(CounterSnapshot.Drop::reason)
                .contains("LINK_LOCAL");
        for (int port = 0; port < HOSTS; port++) {
            running.realTime().detach(port);
        }
        var engine = running.realTime().engine();
        long slots = 0;
        for (int port = 0; port < engine.ports(); port++) {
            slots += engine.ingress(port).homeSlots();
        }
        long all = slots;
        await(() -> free(running) == all);
        assertThat(free(running)).isEqualTo(all);
    }

    private static Ping.Outcome ping(NetnsNetwork network, int from, int to) throws BedException {
        String output =
                network.programs()
                        .run(
                                network.hostNetns(from - 1),
                                60_000,
                                Ping.command(network.address(to - 1), 5))
                        .output();
        return Ping.parse(from, to, 5, output);
    }

    private static Balance balance(
            NetnsNetwork network,
            LabSwitches switches,
            LabCounters start,
            List<HostFrames> before) {
        try {
            return Balance.of(LabCounters.of(switches).since(start), before, hostFrames(network));
        } catch (BedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<HostFrames> hostFrames(NetnsNetwork network) throws BedException {
        List<HostFrames> frames = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            LinuxInterface.Statistics seen = network.hostInterface(host).statistics();
            frames.add(new HostFrames(seen.transmittedFrames(), seen.receivedFrames()));
        }
        return frames;
    }

    private static void run(NetnsNetwork network, String... command) throws BedException {
        Programs.Result result = network.programs().run(null, 60_000, List.of(command));
        assertThat(result.ok()).as(result.output()).isTrue();
    }

    /** Its ports to hosts: that to itself is up from the start. */
    private static boolean isUp(RunningSwitch running) {
        CounterSnapshot counters = running.counters();
        return running.config().ports().stream()
                .allMatch(port ->
                        counters.value(Scope.INGRESS, port.name(), IngressCounter.DEVICE_UP) == 1);
    }

    private static long free(RunningSwitch running) {
        return running.counters().total(Scope.INGRESS, IngressCounter.SLOTS_FREE);
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(20_000_000);
        }
    }
}
