package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TwoSidesTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final int SLOTS_PER_PORT = 16;

    /** The sides of switches that are linked as given: two numbers a link. */
    private static int[] sides(int nodes, int[]... pairs) {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        int[] degree = new int[nodes];
        for (int[] pair : pairs) {
            degree[pair[0]]++;
            degree[pair[1]]++;
        }
        List<SwitchNode> switches = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            List<PortConfig> ports = new ArrayList<>();
            for (int port = 0; port < Math.max(1, degree[node]); port++) {
                ports.add(Star.port("p" + port, RATE_BPS, PortTraffic.End.PLAIN));
            }
            switches.add(run.addSwitch(Star.bridge("s" + node, ports, List.of(), SLOTS_PER_PORT)));
        }
        List<VirtualLink> links = new ArrayList<>();
        for (int[] pair : pairs) {
            SwitchNode one = switches.get(pair[0]);
            SwitchNode other = switches.get(pair[1]);
            int portOfOne = --degree[pair[0]];
            int portOfOther = --degree[pair[1]];
            links.add(run.connect(one, portOfOne, other, portOfOther, new LinkSpec(RATE_BPS, 1)));
        }
        return TwoSides.of(nodes, links);
    }

    private static int[][] ring(int nodes) {
        int[][] pairs = new int[nodes][];
        for (int node = 0; node < nodes; node++) {
            pairs[node] = new int[] {node, (node + 1) % nodes};
        }
        return pairs;
    }

    private static int[] link(int one, int other) {
        return new int[] {one, other};
    }

    @Test
    void neighboursInARingOfAnEvenNumberAreOnDifferentSides() {
        assertThat(sides(6, ring(6))).containsExactly(0, 1, 0, 1, 0, 1);
        assertThat(TwoSides.areTwo(sides(4, ring(4)))).isTrue();
    }

    @Test
    void aRingOfAnOddNumberHasNoTwoSides() {
        assertThat(sides(5, ring(5))).containsOnly(0).hasSize(5);
        assertThat(sides(3, ring(3))).containsOnly(0).hasSize(3);
        assertThat(TwoSides.areTwo(sides(3, ring(3)))).isFalse();
    }

    @Test
    void theMiddleOfAStarIsOnOneSideAndAllOthersAreOnTheOther() {
        assertThat(sides(5, link(2, 0), link(2, 1), link(3, 2), link(4, 2)))
                .containsExactly(0, 0, 1, 0, 0);
    }

    /** What is not linked to the cycle could be parted, but the run has two sides or none. */
    @Test
    void anOddCycleAnywhereLeavesNoTwoSides() {
        int[][] bothWays = {link(0, 1), link(2, 3), link(3, 4), link(4, 2)};
        assertThat(sides(5, bothWays)).containsOnly(0);
        int[][] cycleFirst = {link(0, 1), link(1, 2), link(2, 0), link(3, 4)};
        assertThat(sides(5, cycleFirst)).containsOnly(0);
    }

    @Test
    void componentsArePartedEachByItself() {
        assertThat(sides(6, link(0, 3), link(4, 1), link(1, 5))).containsExactly(0, 0, 0, 1, 1, 1);
    }

    @Test
    void withoutLinksThereIsOneSide() {
        assertThat(sides(3)).containsExactly(0, 0, 0);
        assertThat(TwoSides.areTwo(sides(3))).isFalse();
        assertThat(sides(0)).isEmpty();
    }

    @Test
    void parallelLinksAreNoCycle() {
        assertThat(sides(3, link(0, 1), link(1, 0), link(0, 1), link(1, 2), link(1, 2)))
                .containsExactly(0, 1, 0);
    }

    @Test
    void aLinkFromANodeToItselfIsAnOddCycle() {
        assertThat(sides(3, link(0, 1), link(2, 2))).containsOnly(0);
    }

    @Test
    void ofRandomNetworksEveryLinkIsBetweenTheSidesUnlessThereIsAnOddCycle() {
        long seed = 20261122;
        Random random = new Random(seed);
        int[] parted = new int[2];
        for (int trial = 0; trial < 400; trial++) {
            int nodes = 1 + random.nextInt(8);
            int[][] pairs = new int[nodes == 1 ? 0 : random.nextInt(nodes + 3)][];
            for (int i = 0; i < pairs.length; i++) {
                int one = random.nextInt(nodes);
                pairs[i] = link(one, (one + 1 + random.nextInt(nodes - 1)) % nodes);
            }
            int[] sides = sides(nodes, pairs);
            String what = "seed %d trial %d".formatted(seed, trial);
            assertThat(sides).as(what).hasSize(nodes);
            boolean possible = canBeParted(nodes, pairs);
            parted[possible ? 1 : 0]++;
            if (possible) {
                for (int[] pair : pairs) {
                    assertThat(sides[pair[0]] + sides[pair[1]]).as(what).isEqualTo(1);
                }
            } else {
                assertThat(sides).as(what).containsOnly(0);
            }
            assertThat(TwoSides.areTwo(sides)).as(what).isEqualTo(possible && pairs.length > 0);
        }
        // Both kinds were drawn, and often.
        assertThat(parted[0]).isGreaterThan(50);
        assertThat(parted[1]).isGreaterThan(50);
    }

    /** Whether any way to part the nodes has every link between the parts: tries all. */
    private static boolean canBeParted(int nodes, int[][] pairs) {
        for (int ones = 0; ones < 1 << nodes; ones++) {
            boolean parts = true;
            for (int[] pair : pairs) {
                parts &= ((ones >>> pair[0] ^ ones >>> pair[1]) & 1) == 1;
            }
            if (parts) {
                return true;
            }
        }
        return false;
    }
}
