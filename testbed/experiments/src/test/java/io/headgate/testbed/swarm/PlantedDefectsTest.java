package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.escape.EscapeToken;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.testbed.swarm.check.BrokenException;
import io.headgate.testbed.swarm.check.CaseNetwork;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import io.headgate.testbed.swarm.draw.SwarmCase;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualTimer;
import io.headgate.testbed.virtual.link.LinkEnd;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** What the swarm is for, it finds: defects that are planted in otherwise sound networks. */
class PlantedDefectsTest {
    private static final int MOST_SEEDS = 60;

    /** The first seed, from one on, whose failure names what is expected. */
    private static long find(long from, Consumer<CaseNetwork> defect, String expected) {
        return find(from, Set.of(), defect, expected);
    }

    /** The same of cases without some of what can be left out. */
    private static long find(
            long from, Set<String> without, Consumer<CaseNetwork> defect, String expected) {
        for (long seed = from; seed < from + MOST_SEEDS; seed++) {
            try {
                new CaseRun(CaseDrawer.draw(seed, new Drawing(without, false)), () -> false, defect)
                        .run();
            } catch (BrokenException e) {
                if (String.valueOf(e.getMessage()).contains(expected)) {
                    return seed;
                }
            }
        }
        throw new AssertionError("no seed of " + MOST_SEEDS + " finds: " + expected);
    }

    /** The same of quick runs in which flows block one another. */
    private static void findQuickly(Consumer<CaseNetwork> defect, String expected) {
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            try {
                new CaseRun(CaseDrawer.draw(seed, Drawing.BLOCKED), () -> false, defect)
                        .runQuickly();
            } catch (BrokenException e) {
                if (String.valueOf(e.getMessage()).contains(expected)) {
                    return;
                }
            }
        }
        throw new AssertionError("no seed of " + MOST_SEEDS + " finds: " + expected);
    }

    /** Puts a device in the place of that of every switch's port. */
    private static Consumer<CaseNetwork> atSwitches(Function<PortDevice, MeddlingDevice> defect) {
        return built -> {
            for (VirtualNode node : built.nodes()) {
                for (int port = 0; port < node.ports() && node instanceof SwitchNode; port++) {
                    LinkEnd end = node.end(port);
                    if (end != null) {
                        defect.apply(end).takeOver(node, port);
                    }
                }
            }
        };
    }

    /** Duplicates one frame in 50 or more. */
    private static MeddlingDevice duplicating(PortDevice inner) {
        return new MeddlingDevice(inner) {
            private int received;

            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                received += count;
                if (received < 50 || count == 0 || count == limit || free.size() == 0) {
                    return count;
                }
                received = 0;
                Frame twin = free.take();
                Frame frame = batch[count - 1];
                if (twin == null) {
                    return count;
                }
                twin.dataOffset = twin.slotOffset + FrameRegion.HEADROOM_BYTES;
                twin.lengthBytes = frame.lengthBytes;
                twin.storedBytes = frame.storedBytes;
                MemorySegment.copy(
                        FrameRegion.MEMORY,
                        frame.dataOffset,
                        FrameRegion.MEMORY,
                        twin.dataOffset,
                        frame.storedBytes);
                batch[count] = twin;
                return count + 1;
            }
        };
    }

    /** Swaps the first and the last frame of each batch. */
    private static MeddlingDevice swapping(PortDevice inner) {
        return new MeddlingDevice(inner) {
            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                if (count > 1) {
                    Frame first = batch[0];
                    batch[0] = batch[count - 1];
                    batch[count - 1] = first;
                }
                return count;
            }
        };
    }

    /** Frames are taken and forgotten, but for their slots. */
    private static MeddlingDevice losing(PortDevice inner) {
        return new MeddlingDevice(inner) {
            private int received;

            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                received += count;
                if (count > 0 && received >= 50) {
                    received = 0;
                    free.put(batch[count - 1]);
                    return count - 1;
                }
                return count;
            }
        };
    }

    /** One slot is taken, and never given back. */
    private static MeddlingDevice keeping(PortDevice inner) {
        return new MeddlingDevice(inner) {
            private int received;

            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                if (received < 50 && received + count >= 50) {
                    free.take();
                }
                received += count;
                return count;
            }
        };
    }

    /** Pauses are received, and not understood. */
    private static MeddlingDevice deafToPauses(PortDevice inner) {
        return deafTo(inner, opcode -> true);
    }

    private static MeddlingDevice deafToTokens(PortDevice inner) {
        return deafTo(inner, EscapeToken::isOpcode);
    }

    private static MeddlingDevice deafTo(PortDevice inner, IntPredicate opcodes) {
        return new MeddlingDevice(inner) {
            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                for (int i = 0; i < count; i++) {
                    long at = batch[i].dataOffset;
                    if (Ethernet.etherType(FrameRegion.MEMORY, at) == EtherType.MAC_CONTROL
                            && opcodes.test(MacControl.opcode(FrameRegion.MEMORY, at))) {
                        Wire.put16(FrameRegion.MEMORY, at + Ethernet.HEADER_BYTES, 0xFFFF);
                    }
                }
                return count;
            }
        };
    }

    /** The priority of a frame's tag is forgotten before anybody classifies by it. */
    private static MeddlingDevice blindToTags(PortDevice inner) {
        return new MeddlingDevice(inner) {
            @Override
            public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
                int count = super.receive(nowNs, free, batch, limit);
                for (int i = 0; i < count; i++) {
                    long tag = batch[i].dataOffset + Ethernet.ETHER_TYPE_OFFSET;
                    if (Ethernet.etherType(FrameRegion.MEMORY, batch[i].dataOffset)
                            == EtherType.VLAN) {
                        int vlan = Vlan.id(Vlan.tci(FrameRegion.MEMORY, tag));
                        Vlan.tci(FrameRegion.MEMORY, tag, Vlan.tci(0, false, vlan));
                    }
                }
                return count;
            }
        };
    }

    @Test
    void aPortThatReceivesFramesTwiceIsFound() {
        find(1, atSwitches(PlantedDefectsTest::duplicating), "frames arrived against received");
    }

    @Test
    void aPortThatForgetsFramesIsFound() {
        find(1, atSwitches(PlantedDefectsTest::losing), "frames arrived against received");
    }

    @Test
    void framesOutOfOrderAreFound() {
        // Where a flow has several paths its frames may come out of order.
        find(
                1,
                Set.of("paths"),
                atSwitches(PlantedDefectsTest::swapping),
                "arrived after a later one");
    }

    @Test
    void pausesThatAreIgnoredAreFoundByWhatIsLost() {
        find(100, atSwitches(PlantedDefectsTest::deafToPauses), "lossless priority");
    }

    @Test
    void tagsThatOneEndOfALinkDoesNotSeeAreFound() {
        find(1, atSwitches(PlantedDefectsTest::blindToTags), "classify frames differently");
    }

    @Test
    void aDutyThatKeepsASlotIsFound() {
        find(1, atSwitches(PlantedDefectsTest::keeping), "free slots");
    }

    @Test
    void quickRunsFindDeafTokensAndLostFrames() {
        findQuickly(atSwitches(PlantedDefectsTest::deafToTokens), "a flow has been blocked for");
        findQuickly(atSwitches(PlantedDefectsTest::losing), "frames arrived against received");
    }

    @Test
    void aRunThatHangsOnMoreThanItsSeedIsFound() {
        int[] runs = new int[1];
        Consumer<CaseNetwork> defect =
                built -> {
                    boolean first = ++runs[0] % 2 == 1;
                    VirtualTimer timer =
                            built.run()
                                    .addTimer(
                                            (self, nowPs) -> built.network().link(0).setUp(first));
                    timer.schedule(built.what().trafficEndPs() / 3);
                    VirtualTimer again =
                            built.run()
                                    .addTimer((self, nowPs) -> built.network().link(0).setUp(true));
                    again.schedule(built.what().trafficEndPs() / 2);
                };
        find(1, defect, "the same seed gives another run");
    }

    @Test
    void aCounterThatHangsOnMoreThanTheSeedIsFoundThoughNoFrameDoes() {
        int[] runs = new int[1];
        Consumer<CaseNetwork> defect =
                built -> {
                    boolean clears = ++runs[0] % 2 == 0;
                    VirtualTimer timer =
                            built.run()
                                    .addTimer((self, nowPs) -> {
                                        if (clears) {
                                            clearWatermarks(built);
                                        }
                                    });
                    timer.schedule(built.what().trafficEndPs());
                };
        find(1, defect, "the same seed gives other counters: ");
    }

    private static void clearWatermarks(CaseNetwork built) {
        for (VirtualNode node : built.nodes()) {
            for (int port = 0; port < node.ports(); port++) {
                node.engine().ingress(port).order(IngressHalf::clearWatermarks);
            }
        }
    }

    @Test
    void whatFailsIsMadeSmallAndItsReplayFailsToo() {
        Consumer<CaseNetwork> defect = atSwitches(PlantedDefectsTest::losing);
        Swarm.Failure failure =
                new Swarm(Drawing.ANY, false, () -> false, defect)
                        .examine(find(1, defect, "not conserved"));
        assertThat(failure).isNotNull();
        if (failure == null) {
            return;
        }
        SwarmCase whole = CaseDrawer.draw(failure.seed());
        String[] command = failure.replay().split("--only ", 2);
        assertThat(command).as(failure.replay()).hasSize(2);
        Set<String> only = new TreeSet<>(Arrays.asList(command[1].split(",", -1)));
        assertThat(only).hasSizeLessThan(whole.elements().size());
        Swarm.Failure again =
                new Swarm(Drawing.ANY, false, () -> false, defect).examine(failure.seed(), only);
        assertThat(again).isNotNull();
        assertThat(again == null ? "" : again.sentence()).isEqualTo(failure.sentence());
        assertThat(new Swarm(Drawing.ANY, false, () -> false).examine(failure.seed(), only))
                .isNull();
    }
}
