package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.congestion.Witness;
import io.headgate.testbed.swarm.check.CaseNetwork;
import io.headgate.testbed.swarm.check.NodeCounters;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import io.headgate.testbed.swarm.draw.SwarmCase;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What watches queues changes no frame's time and length; what only reads, nothing at all. The same
 * seeds hold under every check in {@link SwarmTest}: here each runs without.
 */
@Tag("swarm")
class DetectorsChangeNothingTest {
    private static final int SEEDS = 12;

    /** Times and lengths of all frames, of each direction in order. */
    private static final class Times implements LinkObserver {
        private long[] hashes = new long[16];

        @Override
        public void transmitted(
                int direction,
                long startPs,
                long arrivePs,
                int lengthBytes,
                long address,
                int storedBytes) {
            if (direction >= hashes.length) {
                hashes = Arrays.copyOf(hashes, 2 * direction);
            }
            long frame = (startPs * 31 + arrivePs) * 31 + lengthBytes;
            hashes[direction] = (hashes[direction] ^ frame) * 0x9E37_79B9_7F4A_7C15L;
        }
    }

    private static CaseRun.Result run(SwarmCase what, Consumer<CaseNetwork> looker) {
        return new CaseRun(what, () -> false, looker).runQuickly();
    }

    private static SwarmCase watched(SwarmCase what) {
        return what.with(
                what.settings().with(new Witness().use(new Witness.Configuration(777, 0))));
    }

    @Test
    void aRunWithWitnessesIsTheRunWithout() {
        long released = 0;
        // In 70 and 85 an order changes a port's policy: the other ports must see that it is not
        // theirs, though code and file list their mechanisms in another order.
        long[] seeds =
                LongStream.concat(LongStream.rangeClosed(1, SEEDS), LongStream.of(70, 85))
                        .toArray();
        for (long seed : seeds) {
            SwarmCase what = CaseDrawer.draw(seed);
            CaseRun.Result without = run(what, network -> {});
            List<CaseNetwork> watched = new ArrayList<>();
            CaseRun.Result with = run(watched(what), watched::add);
            assertThat(with.digest()).as("seed %d", seed).isEqualTo(without.digest());
            assertThat(with.frameHops()).isEqualTo(without.frameHops());
            released +=
                    NodeCounters.of(watched.getFirst().nodes()).entrySet().stream()
                            .filter(counter -> counter.getKey().contains("witness.released"))
                            .mapToLong(Map.Entry::getValue)
                            .sum();
        }
        assertThat(released).as("stops that ended").isGreaterThan(30);
    }

    /** Holds while no flow reacts to the marks. */
    @Test
    void marksChangeBytesAndNoTimes() {
        int marking = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Times with = new Times();
            Times without = new Times();
            CaseRun.Result marked =
                    run(
                            CaseDrawer.draw(seed, new Drawing(Set.of("dcqcn"), false)),
                            network -> network.run().observe(with));
            CaseRun.Result plain =
                    run(
                            CaseDrawer.draw(
                                    seed, new Drawing(Set.of("red", "detectors", "dcqcn"), false)),
                            network -> network.run().observe(without));
            assertThat(with.hashes).as("seed %d", seed).isEqualTo(without.hashes);
            marking += marked.digest() == plain.digest() ? 0 : 1;
        }
        assertThat(marking).as("seeds whose frames are marked").isGreaterThan(SEEDS / 4);
    }
}
