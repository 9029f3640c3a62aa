package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.read.HostConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Poller;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two flows of unmodified applications from one host to another, wire to wire: one is limited to 1
 * Mb/s and sends as fast as its socket lets it, the other sends at half the line rate.
 */
@Tag("netns")
class FlowLimitTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int LIMITED_PORT = 5001;
    private static final int OTHER_PORT = 5002;
    private static final int PAYLOAD_BYTES = 1472;
    private static final long LIMIT_BPS = 1_000_000;
    private static final long LINE_BPS = 100_000_000;

    /** Bits of a full frame on the wire: 1,538 bytes. */
    private static final long FRAME_BITS = 12_304;

    /** A full frame on the wire, with a tag. */
    private static final int FRAME_BYTES = 1542;

    /** Looks one after the other, each 10 ms after the last, half of which tell. */
    private static final int LOOKS = 100;

    private static final long SECOND_NS = 1_000_000_000;
    private static final long LONGEST_WAIT_NS = 60 * SECOND_NS;

    /** For how long a card may be held with what comes at half the line rate in its rings. */
    private static final long RING_NS = 100_000_000;

    /** What a socket of the limited flow, its queue and its list may hold, in frames. */
    private static final int WAITING_FRAMES = 600;

    enum Transport {
        UDP,
        TCP
    }

    @TempDir private Path directory;
    private final String prefix =
            "hgl" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private NetnsNetwork network;

    @BeforeEach
    void makeHosts() throws Exception {
        network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                        NetnsNetwork.Options.of(prefix, 1).withHosts(NetnsNetwork.Hosts.AGENT),
                        new LabRecords(directory.resolve("labs")),
                        line -> {});
        network.build();
    }

    @AfterEach
    void removeHosts() {
        network.close();
    }

    private HostDaemon start(String rateControl) throws Exception {
        String netns = network.switchNetns(0);
        String config =
                "name: hosts\ndefaults: {rate: 100Mbps}\nhosts:\n"
                        + host(1, "w1", netns, ", " + rateControl)
                        + host(2, "p1", netns, "");
        HostDaemon daemon =
                HostDaemon.start(
                        HostConfigReader.read(config, "test"),
                        directory.resolve("switches"),
                        line -> {});
        network.configureHosts();
        return daemon;
    }

    /** The same, once the hosts know each other: until then the kernel drops what they send. */
    private HostDaemon pinged(String rateControl) throws Exception {
        HostDaemon daemon = start(rateControl);
        Ping.Outcome outcome =
                Ping.parse(
                        1,
                        2,
                        5,
                        network.programs()
                                .run(name(), 60_000, Ping.command(network.address(1), 5))
                                .output());
        assertThat(outcome.received()).isPositive();
        return daemon;
    }

    private String host(int number, String device, String netns, String more) {
        return "  - {name: %1$s, tap: {interface: eth0, netns: %1$s}, device: {afpacket: {interface: %2$s, netns: %3$s}}%4$s}\n"
                .formatted(network.hostNetns(number - 1), device, netns, more);
    }

    /** A flow from the first host to the second: what was written, and what came. */
    private final class Stream implements AutoCloseable {
        private final ByteChannel out;
        private final ByteChannel in;
        private final AtomicLong sentBytes = new AtomicLong();
        private final AtomicLong receivedBytes = new AtomicLong();
        private volatile boolean stopping;

        Stream(Transport transport, int port) throws Exception {
            InetSocketAddress to = new InetSocketAddress(network.address(1), port);
            if (transport == Transport.UDP) {
                DatagramChannel far =
                        inside(1, () -> DatagramChannel.open().bind(new InetSocketAddress(port)));
                far.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 22);
                DatagramChannel near = inside(0, () -> DatagramChannel.open().connect(to));
                far.connect(near.getLocalAddress());
                out = near;
                in = far;
            } else {
                ServerSocketChannel server =
                        inside(
                                1,
                                () -> ServerSocketChannel.open().bind(new InetSocketAddress(port)));
                out = inside(0, () -> SocketChannel.open(to));
                in = server.accept();
                server.close();
            }
            Thread.ofPlatform().daemon().start(this::receive);
        }

        private <T> T inside(int host, IoWork<T> work) throws DeviceException {
            return NetworkNamespace.call(
                    network.hostNetns(host),
                    () -> {
                        try {
                            return work.run();
                        } catch (IOException e) {
                            throw new DeviceException("no socket: " + e.getMessage(), e);
                        }
                    });
        }

        private void receive() {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
            try {
                while (true) {
                    int bytes = in.read(buffer.clear());
                    if (bytes < 0) {
                        return;
                    }
                    receivedBytes.addAndGet(bytes);
                }
            } catch (ClosedChannelException e) {
                // As close wants it.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /**
         * Writes full frames at a rate until told to stop; what it is late with follows at once.
         */
        Thread send(long rateBps) {
            return Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        long startNs = System.nanoTime();
                        ByteBuffer buffer = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
                        try {
                            for (long frame = 0; !stopping; frame++) {
                                long dueNs = startNs + (long) (frame * FRAME_BITS * 1e9 / rateBps);
                                long waitNs = dueNs - System.nanoTime();
                                if (waitNs > 0) {
                                    LockSupport.parkNanos(waitNs);
                                }
                                buffer.clear();
                                while (buffer.hasRemaining()) {
                                    sentBytes.addAndGet(out.write(buffer));
                                }
                            }
                        } catch (ClosedChannelException e) {
                            // As close wants it.
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
        }

        long sentFrames() {
            return sentBytes.get() / PAYLOAD_BYTES;
        }

        /** Waits for what is under way when its sender has stopped: all of it, or too long. */
        void drain() throws IOException {
            if (out instanceof SocketChannel connection) {
                connection.shutdownOutput();
            }
            long endNs = System.nanoTime() + LONGEST_WAIT_NS;
            while (receivedBytes.get() < sentBytes.get() && System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(10_000_000);
            }
        }

        @Override
        public void close() throws IOException {
            stopping = true;
            out.close();
            in.close();
        }
    }

    private interface IoWork<T> {
        T run() throws IOException;
    }

    /**
     * What the flow without a limit did while it was sent.
     *
     * @param offered of half the line rate
     * @param delivered of what was offered by UDP; of half the line rate by TCP, whose sender
     *     offers what is delivered
     */
    private record Shares(double offered, double delivered) {}

    /** Runs both flows for this time, or somewhat longer: the time that it really took counts. */
    private Shares run(Transport transport, int seconds) throws Exception {
        String flows = "[{port: " + LIMITED_PORT + "}]";
        try (HostDaemon daemon =
                        pinged("rate-control: {fixed: {rate: 1Mbps}}, controlled-flows: " + flows);
                Stream limited = new Stream(transport, LIMITED_PORT);
                Stream other = new Stream(transport, OTHER_PORT)) {
            List<CounterSnapshot> before = List.of(daemon.counters(0), daemon.counters(1));
            HostCounters kernels = new HostCounters(network);
            daemon.agent().cards().clearWatermarks();
            long limitedNs = System.nanoTime();
            Thread greedy = limited.send(Long.MAX_VALUE);
            long otherNs = System.nanoTime();
            Thread half = other.send(LINE_BPS / 2);
            LockSupport.parkNanos(seconds * SECOND_NS);
            // Each time is read so that the share is too small, if anything.
            long received = other.receivedBytes.get();
            long sent = other.sentBytes.get();
            double nominal = PAYLOAD_BYTES * frames(LINE_BPS / 2, System.nanoTime() - otherNs);
            double basis = transport == Transport.UDP ? sent : nominal;
            Shares shares = new Shares(sent / nominal, received / basis);
            long writtenFrames = limited.sentFrames();
            double byLimit = frames(LIMIT_BPS, System.nanoTime() - limitedNs);
            assertThat(daemon.counters(0).value(Scope.SWITCH, name(), HostCounter.LIMITED_FLOWS))
                    .isPositive();
            other.stopping = true;
            limited.stopping = true;
            half.join(LONGEST_WAIT_NS / 1_000_000);
            greedy.join(LONGEST_WAIT_NS / 1_000_000);
            assertThat(greedy.isAlive()).isFalse();
            assertThat(half.isAlive()).isFalse();
            // It asked for thousands of frames a second, and was made to wait.
            int waiting = transport == Transport.UDP ? WAITING_FRAMES : 10 * WAITING_FRAMES;
            // A governor without a core holds it back later.
            long lateNs =
                    daemon.counters(0)
                            .value(Scope.SWITCH, name(), HostCounter.RATE_LATENESS_MAX_NS);
            assertThat((double) writtenFrames)
                    .isLessThan(byLimit + waiting + frames(LINE_BPS, lateNs));
            long missing = 0;
            for (Stream stream : List.of(other, limited)) {
                stream.drain();
                missing += stream.sentBytes.get() - stream.receivedBytes.get();
            }
            CounterSnapshot since = daemon.counters(0).since(before.getFirst());
            CounterSnapshot there = daemon.counters(1).since(before.getLast());
            long dropped = dropped(since) + dropped(there);
            // A reader without a core loses what its socket has no room for, a card its ring.
            long lost = transport == Transport.UDP ? dropped + kernels.socketDrops(1) : 0;
            assertThat(missing).isEqualTo(lost * PAYLOAD_BYTES);
            List<CounterSnapshot> cards = List.of(daemon.counters(0), daemon.counters(1));
            assertThat(Holds.of(cards).exceed(RING_NS) ? 0 : dropped).isZero();
            assertThat(since.value(Scope.SWITCH, name(), HostCounter.BACKLOG_DROPPED)).isZero();
            assertThat(network.hostInterface(0).statistics().transmitDropped()).isZero();
            return shares;
        }
    }

    private static long dropped(CounterSnapshot card) {
        return card.drops().stream().mapToLong(CounterSnapshot.Drop::frames).sum();
    }

    /** Full frames at a rate. */
    private static double frames(long rateBps, long timeNs) {
        return (double) rateBps / FRAME_BITS * timeNs / SECOND_NS;
    }

    private String name() {
        return network.hostNetns(0);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void aLimitedFlowBlocksItsSenderLosesNothingAndHoldsUpNoOther(Transport transport)
            throws Exception {
        run(transport, 3);
    }

    /** For a quiet machine: what the other delivers while it sends, of what it offers. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    @Tag("long")
    void theOtherFlowDelivers99PercentInTheMedianOfFive(Transport transport) throws Exception {
        List<Shares> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(run(transport, 5));
        }
        assertThat(runs).allMatch(run -> run.offered >= 0.97);
        double[] delivered = runs.stream().mapToDouble(Shares::delivered).sorted().toArray();
        assertThat(delivered[2]).as("of %s", runs).isGreaterThanOrEqualTo(0.99);
    }

    /**
     * Beyond what the limiter lets on the wire, two frames at the most, a queue of limited flows
     * makes up for what its host was late with: with two frames there, too, flows that might have
     * had 100 Mb/s had 25. More than a list may hold without its sender being held is too much.
     */
    @Test
    void aQueueOfLimitedFlowsLetsSixteenFramesOutAtOnceAndTheOtherAMillisecond() throws Exception {
        try (HostDaemon _ = start("rate-control: {fixed: {rate: 1Mbps}}, flow-queues: 4")) {
            JsonNode disciplines =
                    JsonMapper.builder()
                            .build()
                            .readTree(
                                    network.programs()
                                            .run(
                                                    name(),
                                                    60_000,
                                                    List.of(
                                                            "tc", "-j", "qdisc", "show", "dev",
                                                            "eth0"))
                                            .output());
            List<Integer> bursts = new ArrayList<>();
            for (JsonNode one : disciplines) {
                if (one.get("kind").asString().equals("tbf")) {
                    bursts.add(one.get("options").get("burst").asInt());
                }
            }
            int sixteen = 16 * FRAME_BYTES;
            assertThat(bursts).as(disciplines.toString()).hasSize(5);
            assertThat(bursts).filteredOn(bytes -> Math.abs(bytes - 12_500) < 100).hasSize(1);
            assertThat(bursts).filteredOn(bytes -> Math.abs(bytes - sixteen) < 100).hasSize(4);
        }
    }

    /**
     * Limited flows have half of the slots: frames that wait behind them are not read, and wake no
     * thread.
     */
    @Test
    void aQueueThatIsNotReadWakesNoWorker() throws Exception {
        List<Stream> limited = new ArrayList<>();
        // Senders end before the interface that they send by goes away.
        try (HostDaemon daemon =
                        pinged("rate-control: {fixed: {rate: 100kbps}}, transmit-slots: 256");
                Closeable _ = () -> close(limited)) {
            for (int port = 0; port < 24; port++) {
                limited.add(new Stream(Transport.UDP, LIMITED_PORT + port));
                // Twice as fast as it may: all lists grow alike, and none is long enough for its
                // sender to be held.
                limited.getLast().send(200_000);
            }
            assertThat(LabNetwork.await(() -> waiting(daemon) >= 127)).isTrue();
            PortDevice tap = Objects.requireNonNull(daemon.agent().cards().device(HostCard.APP));
            Poller worker = new Poller(-1);
            Deque<Boolean> silent = new ArrayDeque<>();
            // Not in the moments between a release and what is read for it, nor while the machine
            // holds the worker; otherwise that spins all the time.
            assertThat(
                            LabNetwork.await(() -> {
                                worker.setFd(0, tap.receiveFd());
                                silent.add(worker.await(0) == 0 && waiting(daemon) >= 120);
                                if (silent.size() > LOOKS) {
                                    silent.remove();
                                }
                                return Collections.frequency(silent, true) >= LOOKS / 2;
                            }))
                    .as("silent at half of %d looks: %s", LOOKS, silent)
                    .isTrue();
        }
    }

    private static void close(List<Stream> streams) throws IOException {
        for (Stream one : streams) {
            one.close();
        }
    }

    private long waiting(HostDaemon daemon) {
        return daemon.counters(0).value(Scope.SWITCH, name(), HostCounter.LIMITED_WAITING);
    }

    @Test
    void aControlThatNeedsAcknowledgementsIsRefusedOnATap() {
        for (String control : List.of("dctcp", "hpcc")) {
            assertThatThrownBy(() -> start("rate-control: {%s: {}}".formatted(control)))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("needs acknowledgements")
                    .hasMessageContaining("such as fixed");
        }
    }
}
