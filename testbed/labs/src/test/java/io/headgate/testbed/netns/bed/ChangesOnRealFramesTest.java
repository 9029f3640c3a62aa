package io.headgate.testbed.netns.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.testbed.RandomPatches;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A switch on real frames whose configuration is changed while all its links are busy. Its ports
 * have one protocol, pauses, and the congestion points that go with it; keys of credits, of a
 * shared pool, of policies and of Escape, which needs a second switch, are changed in virtual time
 * alone ({@code ChangesWhileRunningTest}).
 */
@Tag("netns")
class ChangesOnRealFramesTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final long RATE_BPS = 100_000_000L;

    /** How long there is traffic at a time. */
    private static final long TIME_NS =
            Long.getLong("headgate.changes.seconds", 5) * 1_000_000_000L;

    /** Each change takes some 50 ms at first, where hosts and switch fill two cores, later less. */
    private static final int MOST_TIMES = 40;

    /** Rounds of changes after which each key has been accepted at least once. */
    private static final int ROUNDS = 10;

    private static final Set<String> TOLD =
            Set.of("queue.frames", "occupancy.slots", "stopped.now.ns.p3", "duty.failures");

    private static final long PS_PER_NS = 1_000;
    private static final long PS_PER_MS = 1_000_000_000L;

    /** Time in which the switch learns where its hosts are: it may drop frames that it floods. */
    private static final long GREETING_MS = 300;

    private static final long MOST_DRAIN_NS = 10_000_000_000L;

    /** For how long switch and hosts may be held without a loss. */
    private static final long HELD_NS = 100_000_000L;

    /** Times to wait for one in which the machine holds nothing. */
    private static final int MOST_HELD = 5;

    /** What was held for longer than it may be while there was traffic. */
    private enum Held {
        NOTHING,
        SWITCH,

        /** And perhaps the switch, too. */
        HOSTS
    }

    private static final FrameShape SHAPE = FrameShape.udp(1514).withPriority(3, 26);

    @Test
    void changesOfRandomKeysLoseNothingAndKeepTheOrder() throws Exception {
        nothingIsLostBy(20);
    }

    @Test
    @Tag("long")
    void aThousandChangesLoseNothingAndKeepTheOrder() throws Exception {
        nothingIsLostBy(1_000);
    }

    /**
     * For as long as a machine that is busy with other tests may hold up a thread of ours, switch
     * and hosts have room and may be late. That they are not held up by this thread, which works
     * out changes without a pause, is for their priority to see to.
     */
    private static void nothingIsLostBy(int changes) throws Exception {
        Topology topology =
                Topologies.singleSwitch(4, LinkSpec.of(RATE_BPS, 1_000))
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: pfc, classify: {trust: dscp}, link:"
                                                + " {own-reaction: 100ms, peer-reaction: 100ms}, buffers:"
                                                + " {xoff: 200kB}, congestion: {red: {enabled:"
                                                + " false}, tcd: {enabled: false}, rocc: {enabled:"
                                                + " false}}}"));
        String prefix = "hgc" + ProcessHandle.current().pid() + "-";
        try (NetnsNetwork network =
                NetnsNetwork.of(
                        topology,
                        NetnsNetwork.Options.of(prefix, 1).withHosts(NetnsNetwork.Hosts.CARD),
                        new LabRecords(LabRecords.DIRECTORY),
                        _ -> {})) {
            network.build();
            try (RealTimeEngines switches = RealTimeEngines.start(network.plan())) {
                switches.awaitLinks();
                NetnsBed.beUrgent();
                RandomPatches patches = new RandomPatches(SEED, switches.only().config(), RATE_BPS);
                List<RandomPatches.Patch> made = new ArrayList<>();
                List<Held> held = new ArrayList<>();
                while (held.size() < MOST_TIMES
                        && (made.size() < changes
                                || (!held.contains(Held.NOTHING) && held.size() < MOST_HELD))) {
                    held.add(changeUnderTraffic(network, switches, patches, made));
                }
                // A machine that puts threads aside does not choose the switch's each time.
                assertThat(held).containsAnyOf(Held.NOTHING, Held.HOSTS);
                assertThat(made).hasSizeGreaterThanOrEqualTo(changes);
                if (made.size() >= ROUNDS * patches.keys().size()) {
                    assertThat(made)
                            .extracting(RandomPatches.Patch::key)
                            .containsAll(patches.keys());
                }
            } finally {
                NetnsBed.beUrgentNoMore();
            }
        }
    }

    private static Held changeUnderTraffic(
            NetnsNetwork network,
            RealTimeEngines switches,
            RandomPatches patches,
            List<RandomPatches.Patch> made)
            throws Exception {
        List<String> waiting;
        boolean isSwitchHeld;
        HostCards cards = new HostCards(network, 1);
        List<FlowGroup> groups = new ArrayList<>();
        try (cards) {
            for (int from = 0; from < 4; from++) {
                cards.traffic()
                        .start(
                                FlowSpec.greedy("greeting", from, (from + 1) % 4, SHAPE)
                                        .during(0, 2 * PS_PER_MS));
                int to = from == 3 ? 0 : 3;
                groups.add(cards.traffic().group("f" + from));
                cards.traffic()
                        .start(
                                FlowSpec.greedy("f" + from, from, to, SHAPE)
                                        .during(GREETING_MS * PS_PER_MS, TIME_NS * PS_PER_NS));
            }
            switches.only().clearWatermarks();
            cards.start();
            change(switches.only(), cards, patches, made);
            isSwitchHeld = Holds.of(switches.counters()).exceed(HELD_NS);
            switches.drain();
            // Without an XON a pause lasts up to a third of a second at this rate.
            await(cards, groups, cards.nowNs() + MOST_DRAIN_NS);
            waiting = waiting(switches.only().counters());
        }
        cards.requireSound();
        String after =
                "seed %d, after %d changes, the last of them %s; of the switch %s"
                        .formatted(
                                SEED,
                                made.size(),
                                made.reversed().stream().limit(20).toList(),
                                waiting);
        Held held =
                cards.longestGapNs() > HELD_NS
                        ? Held.HOSTS
                        : isSwitchHeld ? Held.SWITCH : Held.NOTHING;
        boolean isHeld = held != Held.NOTHING;
        if (isHeld) {
            System.out.println("INVALID, and no failure: held for too long: " + held);
        } else {
            assertThat(cards.drops()).as(after).isEmpty();
        }
        for (FlowGroup group : groups) {
            assertThat(group.framesReceived())
                    .as("%s, %s", group.name(), after)
                    .isPositive()
                    .isBetween(isHeld ? 1 : group.framesSent(), group.framesSent());
            assertThat(GroupFacts.of(cards.traffic(), group, Long.MAX_VALUE, 1).framesReordered())
                    .isZero();
        }
        return held;
    }

    /** Where frames of a switch are or went, and whether a duty of it has failed. */
    private static List<String> waiting(CounterSnapshot counters) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            boolean told =
                    TOLD.contains(entry.label())
                            || entry.label().startsWith(DropCounters.LABEL_PREFIX);
            if (told && counters.value(i) != 0) {
                found.add(entry.owner() + " " + entry.label() + " " + counters.value(i));
            }
        }
        return found;
    }

    /** Changes as fast as it can be asked for, for as long as there is traffic. */
    private static void change(
            RunningSwitch running,
            HostCards cards,
            RandomPatches patches,
            List<RandomPatches.Patch> made) {
        while (cards.nowNs() < TIME_NS) {
            SwitchConfig before = running.config();
            RandomPatches.Patch patch = patches.draw(before);
            try {
                if (!running.set(List.of(patch.assignment())).isEmpty()) {
                    made.add(patch);
                }
            } catch (ConfigException refused) {
                assertThat(running.config()).as(patch.assignment()).isSameAs(before);
            }
        }
    }

    private static void await(HostCards cards, List<FlowGroup> groups, long untilNs) {
        while (groups.stream().anyMatch(group -> group.framesReceived() < group.framesSent())
                && cards.nowNs() < untilNs) {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
