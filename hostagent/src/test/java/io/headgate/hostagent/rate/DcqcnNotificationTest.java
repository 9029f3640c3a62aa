package io.headgate.hostagent.rate;

import static io.headgate.hostagent.rate.RateControl.MARKED_CE;
import static io.headgate.hostagent.rate.RateControl.MARKED_UE;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.DcqcnConfig.Notify;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which marked frames DCQCN's receivers report, and when; and how senders react. */
class DcqcnNotificationTest {
    private static final long INTERVAL_NS = 50_000;
    private static final int FRAME = 1038;

    private static NotificationPoint point(Notify when) {
        NotificationPoint point = new DcqcnNotification(when, INTERVAL_NS);
        assertThat(point.sendsPackets()).isTrue();
        return point;
    }

    /**
     * When a receiver sends, in us, and what.
     *
     * @param frames such as {@code 10 CE, 20 -}: when they arrive, and their marks
     */
    private static String sent(NotificationPoint point, String frames) {
        List<String> sent = new ArrayList<>();
        for (String frame : frames.split(", ")) {
            String[] words = frame.split(" ");
            long nowNs = Long.parseLong(words[0]) * 1000;
            tell(point, nowNs, sent);
            int marks = words[1].equals("CE") ? MARKED_CE : words[1].equals("UE") ? MARKED_UE : 0;
            add(point, sent, nowNs, point.arrived(nowNs, marks, FRAME));
        }
        tell(point, Long.MAX_VALUE - 1, sent);
        return String.join(", ", sent);
    }

    private static void tell(NotificationPoint point, long untilNs, List<String> sent) {
        while (point.deadlineNs() <= untilNs) {
            long nowNs = point.deadlineNs();
            assertThat(point.tick(nowNs - 1)).isZero();
            int marks = point.tick(nowNs);
            assertThat(marks).as("at %d ns", nowNs).isNotZero();
            add(point, sent, nowNs, marks);
        }
    }

    /** Leaves the card at once. */
    private static void add(NotificationPoint point, List<String> sent, long nowNs, int marks) {
        if (marks != 0) {
            point.left(nowNs);
            sent.add(nowNs / 1000 + (marks == MARKED_CE ? " CE" : " UE"));
        }
    }

    /** One sequence of frames, and what each form makes of it. */
    @Test
    void eachFormTellsWhenItIsSaidTo() {
        String frames = "3 -, 10 CE, 20 CE, 59 CE, 60 -, 61 CE, 115 -, 200 CE, 204 CE, 249 CE";
        assertThat(sent(point(Notify.SILENT), frames)).isEqualTo("10 CE, 61 CE, 200 CE");
        assertThat(sent(point(Notify.END_OF_INTERVAL), frames))
                .isEqualTo("10 CE, 60 CE, 110 CE, 200 CE, 250 CE");
        assertThat(sent(point(Notify.PERIODIC), frames)).isEqualTo("53 CE, 103 CE, 203 CE, 253 CE");
        assertThat(sent(point(Notify.SLOTTED), frames)).isEqualTo("10 CE, 59 CE, 200 CE");
    }

    @Test
    void aFlowWhoseFirstFrameIsMarkedIsToldOfItAtOnceInEachForm() {
        for (Notify when : Notify.values()) {
            assertThat(sent(point(when), "7 CE")).as("%s", when).isEqualTo("7 CE");
        }
    }

    @Test
    void aNotificationAtAnIntervalsEndCarriesItsStrongestMark() {
        String frames = "0 UE, 10 UE, 20 CE, 30 UE, 60 UE";
        assertThat(sent(point(Notify.END_OF_INTERVAL), frames)).isEqualTo("0 UE, 50 CE, 100 UE");
        assertThat(sent(point(Notify.PERIODIC), frames)).isEqualTo("0 UE, 50 CE, 100 UE");
    }

    @Test
    void congestionIsToldOfAtOnceThoughAPortThatCannotTellWas() {
        String frames = "0 UE, 10 UE, 20 CE, 30 UE, 40 CE, 69 UE, 71 UE, 75 CE, 80 CE";
        assertThat(sent(point(Notify.SILENT), frames)).isEqualTo("0 UE, 20 CE, 71 UE, 75 CE");
        assertThat(sent(point(Notify.SLOTTED), frames)).isEqualTo("0 UE, 20 CE, 69 UE, 75 CE");
    }

    /** A worker that was held, or a queue in the card, is late with one, not with the next. */
    @Test
    void anIntervalBeginsWhenANotificationHasLeft() {
        NotificationPoint point = point(Notify.END_OF_INTERVAL);
        assertThat(point.arrived(0, MARKED_CE, FRAME)).isEqualTo(MARKED_CE);
        assertThat(point.arrived(INTERVAL_NS + 1, MARKED_CE, FRAME)).isZero();
        assertThat(point.deadlineNs()).as("it is in the card").isEqualTo(Long.MAX_VALUE);
        point.left(70_000);
        assertThat(point.deadlineNs()).isEqualTo(70_000 + INTERVAL_NS);
        assertThat(point.arrived(90_000, MARKED_CE, FRAME)).isZero();
        assertThat(point.tick(70_000 + INTERVAL_NS)).isEqualTo(MARKED_CE);
    }

    @Test
    void whileOneIsInTheCardMarksAreTreatedAsInItsInterval() {
        for (Notify when : Notify.values()) {
            NotificationPoint point = point(when);
            assertThat(point.arrived(10_000, MARKED_UE, FRAME)).isEqualTo(MARKED_UE);
            assertThat(point.arrived(70_000, MARKED_UE, FRAME)).as("%s", when).isZero();
            assertThat(point.arrived(75_000, MARKED_CE, FRAME)).as("%s", when).isZero();
            assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
            point.left(80_000);
            long dueNs =
                    switch (when) {
                        case SILENT, SLOTTED -> 80_000;
                        case END_OF_INTERVAL -> 80_000 + INTERVAL_NS;
                        case PERIODIC -> 10_000 + 2 * INTERVAL_NS;
                    };
            assertThat(point.deadlineNs()).as("%s", when).isEqualTo(dueNs);
            assertThat(point.tick(dueNs)).isEqualTo(MARKED_CE);
        }
    }

    /** As the authors of TCD combine it with DCQCN: see {@link DcqcnReaction}. */
    @Test
    void undeterminedMarksHoldASendersRateAndOneCongestedAmongThemCutsIt() {
        NotificationPoint point = point(Notify.PERIODIC);
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
