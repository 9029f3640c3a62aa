package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.BridgeConfig;
import io.headgate.config.PortTraffic;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of which more is stored than a slot of the receiver takes. */
class OversizeFrameTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MICROSECOND = 1_000_000;
    private static final int LARGE_SLOT_BYTES = 2048;

    /** What a small slot takes: 256 bytes of it are in front of a frame, 64 behind. */
    private static final int LONGEST_BYTES = 192;

    private static final int FRAMES = 1000;
    private static final int EVERY = 10;
    private static final long OVERSIZE = FRAMES / EVERY;

    private final VirtualRun run = new VirtualRun(RunOptions.of(5).withChecking(true));
    private final HostNode large =
            run.addHost(CardSetup.of("large", RATE_BPS).withSlots(32, 32, LARGE_SLOT_BYTES));
    private final TestTraffic receiver = new TestTraffic(run.clock(), 1);

    private VirtualLink pair(LinkSpec setup) {
        HostNode small = run.addHost(CardSetup.of("small", RATE_BPS));
        small.attachApp(receiver);
        return run.connect(large, HostCard.WIRE, small, HostCard.WIRE, setup);
    }

    private void send(int lengthBytes) {
        large.attachApp(
                new TestTraffic(run.clock(), 0, 1, lengthBytes, 0, 0, FRAMES).storingWhole(EVERY));
        run.runUntil(2000 * MICROSECOND);
    }

    /** Every tenth does not come, and all others do as they were sent. */
    private void assertAllOthersReceived(VirtualLink link) {
        assertThat(link.statistics(0).oversize()).isEqualTo(OVERSIZE);
        assertThat(link.statistics(0).framesArrived()).isEqualTo(FRAMES);
        assertThat(link.statistics(0).noSlot()).isZero();
        assertThat(receiver.received).isEqualTo(FRAMES - OVERSIZE);
        // 1 to 1,000 without 10, 20, 30, ... 1,000.
        assertThat(receiver.sumOfNumbers).isEqualTo(500_500 - 10 * 5050);
        assertThat(receiver.outOfOrder).isZero();
        assertThat(link.from(0).pool().taken()).isZero();
        assertThat(link.from(1).pool().taken()).isZero();
    }

    @Test
    void countAtTheLinkAndLeaveTheOthersUntouched() {
        VirtualLink link = pair(new LinkSpec(RATE_BPS, MICROSECOND));
        send(LONGEST_BYTES + 1);
        assertAllOthersReceived(link);
    }

    @Test
    void areOnesThatTheSlotDoesNotTakeAndNoShorterOnes() {
        VirtualLink link = pair(new LinkSpec(RATE_BPS, MICROSECOND));
        send(LONGEST_BYTES);
        assertThat(link.statistics(0).oversize()).isZero();
        assertThat(receiver.received).isEqualTo(FRAMES);
        assertThat(link.from(0).pool().taken()).isZero();
    }

    @Test
    void giveTheirCreditsBack() {
        VirtualLink link = pair(new LinkSpec(RATE_BPS, MICROSECOND).withSlotCredits(true));
        // More of them than the card has slots.
        send(1500);
        assertAllOthersReceived(link);
    }

    @Test
    void goBackToThePoolAlsoWhereFramesAreCopiedAndRepeated() {
        LinkFaults twice = LinkFaults.NONE.withRepeatProbability(1);
        VirtualLink link = pair(new LinkSpec(RATE_BPS, MICROSECOND).withFaults(twice));
        send(LONGEST_BYTES + 1);
        assertThat(link.statistics(0).oversize()).isEqualTo(2 * OVERSIZE);
        assertThat(receiver.received + link.statistics(0).noSlot())
                .isEqualTo(2 * (FRAMES - OVERSIZE));
        assertThat(link.from(0).pool().taken()).isZero();
    }

    @Test
    void doNotPassASwitchOfSmallSlotsNorAnyItsLinksToOthers() {
        SwitchNode s =
                run.addSwitch(
                        Star.bridge(
                                "s",
                                List.of(
                                        Star.port("left", RATE_BPS, PortTraffic.End.PLAIN),
                                        Star.port("right", RATE_BPS, PortTraffic.End.PLAIN)),
                                List.of(
                                        new BridgeConfig.StaticEntry(Star.mac(0), 1, "left"),
                                        new BridgeConfig.StaticEntry(Star.mac(1), 1, "right")),
                                1024));
        HostNode far =
                run.addHost(CardSetup.of("far", RATE_BPS).withSlots(32, 32, LARGE_SLOT_BYTES));
        far.attachApp(receiver);
        VirtualLink in =
                run.connect(large, HostCard.WIRE, s, 0, new LinkSpec(RATE_BPS, MICROSECOND));
        VirtualLink out =
                run.connect(s, 1, far, HostCard.WIRE, new LinkSpec(RATE_BPS, MICROSECOND));
        send(1500);
        assertAllOthersReceived(in);
        assertThat(out.statistics(0).framesSent()).isEqualTo(FRAMES - OVERSIZE);
        assertThat(out.statistics(0).oversize()).isZero();
    }

    @Test
    void changeNothingWhetherARunIsCheckedOrNot() {
        VirtualLink link = pair(new LinkSpec(RATE_BPS, MICROSECOND));
        VirtualRun plain = new VirtualRun(RunOptions.of(5));
        HostNode from =
                plain.addHost(CardSetup.of("large", RATE_BPS).withSlots(32, 32, LARGE_SLOT_BYTES));
        HostNode to = plain.addHost(CardSetup.of("small", RATE_BPS));
        plain.connect(from, HostCard.WIRE, to, HostCard.WIRE, link.setup());
        TestTraffic traffic = new TestTraffic(plain.clock(), 0, 1, 1500, 0, 0, FRAMES);
        from.attachApp(traffic.storingWhole(EVERY));
        to.attachApp(new TestTraffic(plain.clock(), 1));
        plain.runUntil(2000 * MICROSECOND);
        send(1500);
        assertThat(plain.digest()).isEqualTo(run.digest());
    }
}
