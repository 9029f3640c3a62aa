package io.headgate.hostagent.rate;

import static io.headgate.hostagent.rate.RateControl.MARKED_CE;
import static io.headgate.hostagent.rate.RateControl.MARKED_UE;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Cnp;

import org.junit.jupiter.api.Test;

/** What DCQCN's receivers tell of marked frames, and when; and what senders make of it. */
class DcqcnNotificationTest {
    private static final long INTERVAL_NS = 50_000;
    private static final int FRAME = 1038;
    private final NotificationPoint point = new DcqcnNotification(INTERVAL_NS);

    @Test
    void theFirstMarkIsToldOfAtOnceAndUnmarkedFramesNever() {
        assertThat(point.sendsPackets()).isTrue();
        assertThat(point.arrived(0, 0, FRAME)).isZero();
        assertThat(point.arrived(10, MARKED_CE, FRAME)).isEqualTo(MARKED_CE);
        point.left(10);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(point.arrived(20, 0, FRAME)).isZero();
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(point.arrived(10 + INTERVAL_NS, MARKED_CE, FRAME)).isEqualTo(MARKED_CE);
    }

    @Test
    void framesMarkedWithinAnIntervalAreToldOfAtItsEndInOneNotification() {
        point.arrived(0, MARKED_CE, FRAME);
        point.left(0);
        for (int i = 1; i < 50; i++) {
            assertThat(point.arrived(i * 1_000L, MARKED_CE, FRAME)).isZero();
        }
        assertThat(point.deadlineNs()).isEqualTo(INTERVAL_NS);
        assertThat(point.tick(INTERVAL_NS - 1)).isZero();
        assertThat(point.tick(INTERVAL_NS)).isEqualTo(MARKED_CE);
        point.left(INTERVAL_NS);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(point.arrived(INTERVAL_NS + 1, MARKED_CE, FRAME)).isZero();
        assertThat(point.deadlineNs()).isEqualTo(2 * INTERVAL_NS);
    }

    /** A worker that was held, or a queue in the card, is late with one, not with the next. */
    @Test
    void anIntervalBeginsWhenANotificationHasLeft() {
        assertThat(point.arrived(0, MARKED_CE, FRAME)).isEqualTo(MARKED_CE);
        assertThat(point.arrived(INTERVAL_NS + 1, MARKED_CE, FRAME)).isZero();
        assertThat(point.deadlineNs()).as("it is in the card").isEqualTo(Long.MAX_VALUE);
        point.left(70_000);
        assertThat(point.deadlineNs()).isEqualTo(70_000 + INTERVAL_NS);
        assertThat(point.arrived(90_000, MARKED_CE, FRAME)).isZero();
        assertThat(point.tick(70_000 + INTERVAL_NS)).isEqualTo(MARKED_CE);
    }

    @Test
    void aNotificationCarriesTheStrongestMarkOfItsInterval() {
        assertThat(point.arrived(0, MARKED_UE, FRAME)).isEqualTo(MARKED_UE);
        point.left(0);
        point.arrived(10_000, MARKED_UE, FRAME);
        point.arrived(20_000, MARKED_CE, FRAME);
        point.arrived(30_000, MARKED_UE, FRAME);
        assertThat(point.tick(INTERVAL_NS)).isEqualTo(MARKED_CE);
        point.left(INTERVAL_NS);
        point.arrived(INTERVAL_NS + 10, MARKED_UE, FRAME);
        assertThat(point.tick(2 * INTERVAL_NS)).isEqualTo(MARKED_UE);
    }

    /** As the authors of TCD combine it with DCQCN: see {@link DcqcnReaction}. */
    @Test
    void undeterminedMarksHoldASendersRateAndOneCongestedAmongThemCutsIt() {
        DcqcnReaction sender = new DcqcnReaction(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED));
        sender.begin(0, 40_000_000_000L, FRAME);
        sender.notified(0, Cnp.KIND, 1, point.arrived(0, MARKED_CE, FRAME));
        point.left(0);
        assertThat(sender.rateBps()).isEqualTo(20_000_000_000L);
        for (int window = 1; window <= 20; window++) {
            long endNs = window * INTERVAL_NS;
            assertThat(point.arrived(endNs - 10_000, MARKED_UE, FRAME)).isZero();
            assertThat(sender.notified(endNs, Cnp.KIND, 1, point.tick(endNs))).isTrue();
            point.left(endNs);
            assertThat(sender.rateBps()).isEqualTo(20_000_000_000L);
            assertThat(sender.targetBps).isEqualTo(20e9);
        }
        assertThat(sender.alpha).isEqualTo(1);
        long endNs = 21 * INTERVAL_NS;
        point.arrived(endNs - 20_000, MARKED_CE, FRAME);
        point.arrived(endNs - 10_000, MARKED_UE, FRAME);
        sender.notified(endNs, Cnp.KIND, 1, point.tick(endNs));
        assertThat(sender.rateBps()).isEqualTo(10_000_000_000L);
    }
}
