package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.MS;
import static io.headgate.testbed.traffic.HandDriven.NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.policy.Classify;
import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import org.junit.jupiter.api.Test;

/** How priorities share the slots of a host's card. */
class CardShareTest {
    private static final FrameShape UDP_1000 = FrameShape.udp(1000);
    private static final Classify BY_DSCP = (pcp, dscp) -> dscp >> 3;
    private static final Classify BY_TAG = (pcp, dscp) -> pcp == Classify.ABSENT ? 0 : pcp;

    @Test
    void aPriorityWithItsShareOfSlotsLeavesTheOthersTheirs() {
        HandDriven bed = new HandDriven(2, 8);
        Accounts accounts = new Accounts(1 << 20, 100);
        bed.host(0).device.shareSlots(accounts, 3, BY_DSCP);
        bed.traffic.start(FlowSpec.greedy("a", 0, 1, UDP_1000.withPriority(3, 24)));
        bed.traffic.start(
                FlowSpec.greedy("b", 0, 1, UDP_1000.withPriority(5, 40)).during(MS, 2 * MS));
        assertThat(bed.receive(0, 0)).isEqualTo(3);
        bed.host(0).sent.forEach(frame -> accounts.charge(frame, 3));
        assertThat(bed.host(0).device.deadlineNs()).isEqualTo(MS / NS);
        assertThat(bed.receive(0, MS)).isEqualTo(3);
        assertThat(bed.takeAllSent(0).stream().map(Copy::flow))
                .containsExactly(0L, 0L, 0L, 1L, 1L, 1L);
    }

    @Test
    void aPriorityThatHadNothingToSendWhileItsSlotsCameHomeHasItsShareAgain() {
        HandDriven bed = new HandDriven(2, 16);
        Accounts accounts = new Accounts(1 << 20, 100);
        bed.host(0).device.shareSlots(accounts, 3, BY_DSCP);
        FrameShape shape = UDP_1000.withPriority(3, 24);
        long threeFrames = 3L * shape.segmentation().maxSegmentBytes();
        bed.traffic.start(FlowSpec.greedy("a", 0, 1, shape).withSizeBytes(threeFrames));
        bed.traffic.start(FlowSpec.greedy("b", 0, 1, UDP_1000.withPriority(5, 40)));
        bed.traffic.start(FlowSpec.greedy("c", 0, 1, shape).during(MS, 2 * MS));
        assertThat(bed.receive(0, 0)).isEqualTo(6);
        bed.takeAllSent(0);
        assertThat(bed.receive(0, 1)).as("of b").isEqualTo(3);
        bed.host(0).sent.forEach(frame -> accounts.charge(frame, 5));
        assertThat(bed.receive(0, MS)).as("of c").isEqualTo(3);
        assertThat(bed.takeAllSent(0).stream().map(Copy::flow))
                .containsExactly(1L, 1L, 1L, 2L, 2L, 2L);
    }

    /** A card that classifies by tags, with frames that have none. */
    @Test
    void aShareIsOfTheAccountThatTheCardChargesWhateverThePriority() {
        HandDriven bed = new HandDriven(2, 8);
        Accounts accounts = new Accounts(1 << 20, 100);
        bed.host(0).device.shareSlots(accounts, 3, BY_TAG);
        bed.traffic.start(FlowSpec.greedy("a", 0, 1, UDP_1000.withPriority(3, 24)));
        assertThat(bed.receive(0, 0)).isEqualTo(3);
        bed.host(0).sent.forEach(frame -> accounts.charge(frame, 0));
        // Called without cause it finds nothing to do.
        assertThat(bed.receive(0, 0)).isZero();
        accounts.release(bed.host(0).sent.element());
        bed.takeSent(0);
        // One free slot is not worth a call, two are.
        assertThat(bed.host(0).device.awaitsReturns()).isFalse();
        assertThat(bed.receive(0, 1)).isZero();
        accounts.release(bed.host(0).sent.element());
        bed.takeSent(0);
        assertThat(bed.host(0).device.awaitsReturns()).isTrue();
        assertThat(bed.receive(0, 1)).isEqualTo(2);
    }

    /** Frames of the same priority: some have a tag, which the card trusts, some have not. */
    @Test
    void flowsOfAPriorityThatTheCardTellsApartDoNotWaitForEachOther() {
        HandDriven bed = new HandDriven(2, 8);
        Accounts accounts = new Accounts(1 << 20, 100);
        bed.host(0).device.shareSlots(accounts, 3, BY_TAG);
        bed.traffic.start(FlowSpec.greedy("a", 0, 1, UDP_1000.withPriority(3, 24)));
        bed.traffic.start(FlowSpec.greedy("b", 0, 1, UDP_1000.withPriority(3, 24).withVlan(0)));
        assertThat(bed.receive(0, 0)).isEqualTo(6);
        bed.host(0).sent.forEach(frame -> accounts.charge(frame, frame.tagged ? 3 : 0));
        // Called without cause it finds nothing to do.
        assertThat(bed.receive(0, 0)).isZero();
        bed.host(0).sent.stream().filter(f -> !f.tagged).limit(2).forEach(accounts::release);
        assertThat(bed.receive(0, 1)).isEqualTo(2);
        assertThat(bed.host(0).sent.stream().map(frame -> frame.tagged))
                .containsExactly(false, true, false, true, false, true, false, false);
    }

    @Test
    void aShareOfOneSlotIsRefused() {
        HandDriven bed = new HandDriven(2, 8);
        Accounts accounts = new Accounts(1 << 20, 100);
        assertThatThrownBy(() -> bed.host(0).device.shareSlots(accounts, 1, BY_TAG))
                .hasMessage("1 slots a priority; allowed are 2 and more");
    }
}
