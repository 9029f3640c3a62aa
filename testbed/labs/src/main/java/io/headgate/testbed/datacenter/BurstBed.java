package io.headgate.testbed.datacenter;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.datacenter.Pattern.Stream;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A switch, with a source of exact numbers of frames at each of its ports. The sender waits after
 * each chunk until the switch has taken it, so that no frame is lost before the switch, even if the
 * switch runs late; frames that leave meanwhile are counted. Owned by one thread.
 */
final class BurstBed implements AutoCloseable {
    /** Frames of each stream between two waits: few compared with a receive ring of 2,048. */
    static final int CHUNK_FRAMES = 16;

    private final SwitchBed bed;
    private final SwitchConfig config;
    private final long seed;
    private final List<FrameSource> sources = new ArrayList<>();

    /** At a switch that runs already. */
    BurstBed(SwitchBed bed, SwitchConfig config) throws BedException {
        this.bed = bed;
        this.config = config;
        this.seed = config.seed();
        try {
            for (int port = 1; port <= SwitchBed.PORTS; port++) {
                sources.add(
                        new FrameSource(
                                bed.network().hostNetns(port - 1), NetnsNetwork.HOST_INTERFACE));
            }
            introduce();
        } catch (BedException failure) {
            close();
            throw failure;
        }
    }

    /** Checks that each port sends: an egress half detects its link a little later. */
    private void introduce() throws BedException {
        for (int port = 1; port <= SwitchBed.PORTS; port++) {
            int to = port;
            Stream stream = new Stream(port % SwitchBed.PORTS + 1, to);
            byte[] frame = frame(stream, 64);
            long before = transmitted(bed.counters(), to);
            while (transmitted(bed.counters(), to) == before) {
                FrameSource source = sources.get(stream.from() - 1);
                Burst one = new Burst(new Pattern("one", List.of(stream)), 64);
                source.send(frame, 1);
                one.sent = 1;
                one.await();
                one.drain();
            }
        }
    }

    SwitchConfig config() {
        return config;
    }

    private byte[] frame(Stream stream, int sizeBytes) {
        return TestFrame.of(
                sizeBytes,
                BedConfig.station(stream.from()),
                BedConfig.station(stream.to()),
                new Random(seed + stream.from()));
    }

    private static long transmitted(CounterSnapshot counters, int port) {
        return counters.value(
                Scope.EGRESS, BedConfig.portName(port), EgressCounter.FRAMES_TRANSMITTED);
    }

    private static long enqueued(CounterSnapshot counters, int port) {
        return counters.value(
                Scope.EGRESS, BedConfig.portName(port), EgressCounter.FRAMES_ENQUEUED);
    }

    /**
     * The present places of the frames of a burst.
     *
     * @param sent by all sources
     * @param dropped by the switch and in the kernel before it
     * @param transmitted those that have left the switch
     * @param held what is in the switch
     */
    record State(long sent, long dropped, long transmitted, long held) {}

    /** Begins a burst. Nothing may be on its way. */
    Burst begin(Pattern pattern, int sizeBytes) {
        return new Burst(pattern, sizeBytes);
    }

    /** Any number of frames of one size in a pattern. */
    final class Burst {
        private final Pattern pattern;
        private final List<byte[]> frames = new ArrayList<>();
        private final CounterSnapshot before;
        private final List<Long> arrivedBefore = new ArrayList<>();
        private long sent;
        private long mostHeld;

        private Burst(Pattern pattern, int sizeBytes) {
            this.pattern = pattern;
            pattern.streams().forEach(stream -> frames.add(frame(stream, sizeBytes)));
            before = bed.counters();
        }

        /** Notes the number of frames that have reached the hosts so far, for {@link #arrived}. */
        void watchHosts() throws BedException {
            for (int port : pattern.destinations()) {
                arrivedBefore.add(hostFrames(port));
            }
        }

        /**
         * Sends {@code framesPerStream} frames of each stream, in turn, and waits until the switch
         * has them.
         */
        void send(int framesPerStream) throws BedException {
            for (int done = 0; done < framesPerStream; done += CHUNK_FRAMES) {
                int chunk = Math.min(CHUNK_FRAMES, framesPerStream - done);
                for (int i = 0; i < frames.size(); i++) {
                    int from = pattern.streams().get(i).from();
                    sources.get(from - 1).send(frames.get(i), chunk);
                    sent += chunk;
                }
                await();
                state();
            }
        }

        private void await() throws BedException {
            SwitchBed.await(
                    () -> {
                        CounterSnapshot now = bed.counters().since(before);
                        return enqueuedAll(now) + dropped(now) >= sent;
                    },
                    "the switch has not received all sent frames");
        }

        private long enqueuedAll(CounterSnapshot now) {
            return pattern.destinations().stream().mapToLong(port -> enqueued(now, port)).sum();
        }

        private static long dropped(CounterSnapshot now) {
            return now.drops().stream().mapToLong(Drop::frames).sum();
        }

        /** The present places of the frames. */
        State state() {
            CounterSnapshot now = bed.counters().since(before);
            long gone =
                    pattern.destinations().stream().mapToLong(port -> transmitted(now, port)).sum();
            long dropped = dropped(now);
            long held = sent - dropped - gone;
            mostHeld = Math.max(mostHeld, held);
            return new State(sent, dropped, gone, held);
        }

        /** Maximum number of frames that the switch held at any reading. */
        long mostHeld() {
            return mostHeld;
        }

        /** Waits until all frames have left the switch. */
        State drain() throws BedException {
            SwitchBed.await(() -> state().held() <= 0, "the switch still holds frames");
            return state();
        }

        /** Frames dropped so far, by reason. */
        Map<String, Long> drops() {
            Map<String, Long> drops = new TreeMap<>();
            for (Drop drop : bed.counters().since(before).drops()) {
                drops.merge(drop.reason(), drop.frames(), Long::sum);
            }
            return drops;
        }

        /** Frames that the receiving hosts' kernels have counted since {@link #watchHosts}. */
        long arrived() throws BedException {
            long sum = 0;
            List<Integer> ports = pattern.destinations();
            for (int i = 0; i < ports.size(); i++) {
                sum += hostFrames(ports.get(i)) - arrivedBefore.get(i);
            }
            return sum;
        }

        private long hostFrames(int port) throws BedException {
            return bed.network().hostInterface(port - 1).statistics().receivedFrames();
        }
    }

    @Override
    public void close() {
        sources.forEach(FrameSource::close);
    }
}
