package io.headgate.dataplane.gfc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.gfc.GfcConfig.Form;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.queue.PriorityRates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Gentle flow control between two ports, event by event, each with its arithmetic. The link has 10
 * Gb/s, B<sub>m</sub> is 300 kB.
 */
class GfcTest {
    private static final long LINE = 10_000_000_000L;
    private static final long FREE = PriorityRates.UNRATED;
    private static final int PRIORITY = 3;
    private static final int RATED = 1 << PRIORITY | 1 << 5;
    private static final long SOURCE = 0x0200_0000_0001L;

    /** What priority 3 holds; slots are set where short frames are the matter. */
    private static final class Held implements AccountsView {
        private long bytes;
        private int slots;

        @Override
        public int pauseWanted() {
            return 0;
        }

        @Override
        public long bytes(int priority) {
            return priority == PRIORITY ? bytes : 0;
        }

        @Override
        public int slots(int priority) {
            return priority == PRIORITY ? slots : 0;
        }
    }

    /** A port with both its ends, of which one tells and the other obeys. */
    private static final class Port {
        private final GfcReceiver receiver;
        private final GfcSender sender;

        Port(GfcConfig config) {
            GfcWords words = new GfcWords();
            receiver = new GfcReceiver(config, RATED, LINE, words);
            sender = new GfcSender(config, words);
        }
    }

    /** Two ports with a link between: what one holds says how fast the other sends. */
    private static final class Link {
        private final MemorySegment segment = Arena.ofAuto().allocate(128);
        private final Held held = new Held();
        private final Port here;
        private final Port there;

        Link(GfcConfig config) {
            here = new Port(config);
            there = new Port(config);
        }

        /** A frame arrives, if one is due; whether it was. */
        boolean tell(long nowNs) {
            here.sender.look(nowNs);
            if (!here.sender.isDue(nowNs)) {
                return false;
            }
            int bytes = here.sender.write(nowNs, segment, 0, SOURCE);
            assertThat(there.receiver.receive(nowNs, segment, 0, bytes)).isTrue();
            return true;
        }

        /** At a time, that much is held: whether a frame is due, and the rate that follows. */
        void event(long nowUs, long bytes, boolean isTold, long rateBps) {
            held.bytes = bytes;
            here.receiver.publish(nowUs * 1000, held);
            String what = "at " + nowUs + " us, " + bytes + " bytes";
            assertThat(tell(nowUs * 1000)).as(what + ": told").isEqualTo(isTold);
            assertThat(rateBps(nowUs * 1000)).as(what + ": rate").isEqualTo(rateBps);
        }

        long rateBps(long nowNs) {
            there.sender.look(nowNs);
            return there.sender.rateBps(PRIORITY);
        }
    }

    private static GfcConfig config(Form form, int stages) {
        return new GfcConfig(form, 300_000, 1000, 284_000, stages, 160_000, 52_000);
    }

    /**
     * B1 = 284,000; B2 = 300,000 - 16,000/2 = 292,000; B3 = 300,000 - 16,000/4 = 296,000; B4 =
     * 298,000; B5 = 299,000. R1 = 5 Gb/s, R2 = 2.5, R3 = 1.25, R4 = 0.625, R5 = 0.3125. T = 52 us.
     */
    @Test
    void bufferBasedFollowsASequenceWorkedOutByHand() {
        Link link = new Link(config(Form.BUFFER, 5));
        link.event(0, 0, false, FREE); // stage 0
        link.event(1, 200_000, false, FREE); // below B1
        link.event(2, 283_999, false, FREE); // a byte below B1
        link.event(3, 284_000, true, 5_000_000_000L); // B1: C/2
        link.event(4, 284_001, false, 5_000_000_000L); // still stage 1
        link.event(5, 291_999, false, 5_000_000_000L); // a byte below B2
        link.event(6, 292_000, true, 2_500_000_000L); // B2: C/4
        link.event(7, 297_000, true, 1_250_000_000L); // between B3 and B4: C/8
        link.event(8, 298_999, true, 625_000_000L); // between B4 and B5: C/16
        link.event(9, 299_000, true, 312_500_000L); // B5: C/32
        link.event(10, 300_000, false, 312_500_000L); // Bm: N = 5 is the last stage
        link.event(11, 310_000, false, 312_500_000L); // above Bm: never less than R5
        link.event(12, 298_500, true, 625_000_000L); // down to stage 4
        link.event(13, 291_000, true, 5_000_000_000L); // three stages at once: stage 1
        link.event(64, 290_000, false, 5_000_000_000L); // 51 us later: not repeated yet
        link.event(65, 290_000, true, 5_000_000_000L); // T = 52 us after the last: repeated
        link.event(116, 290_000, false, 5_000_000_000L); // 65 + 52 = 117
        link.event(117, 289_000, true, 5_000_000_000L); // again
        link.event(118, 283_000, true, FREE); // stage 0: the line's rate
        link.event(171, 283_000, false, FREE); // stage 0 is not repeated
        link.event(172, 284_500, true, 5_000_000_000L); // stage 1 once more
        link.event(173, 296_000, true, 1_250_000_000L); // B3, two stages up: C/8
        link.event(174, 0, true, FREE); // emptied
    }

    /** R = 10 Gb/s x (300,000 - q) / 140,000 above B0 = 160,000; T = 52 us. */
    @Test
    void timeBasedFollowsASequenceWorkedOutByHand() {
        Link link = new Link(config(Form.TIME, 5));
        link.event(0, 0, false, FREE);
        link.event(1, 160_000, false, FREE); // B0 itself: the line's rate
        link.event(2, 174_000, true, 9_000_000_000L); // 126/140 = 0.9
        link.event(3, 188_000, false, 9_000_000_000L); // told in the next period alone
        link.event(53, 188_000, false, 9_000_000_000L); // 2 + 52 = 54
        link.event(54, 188_000, true, 8_000_000_000L); // 112/140 = 0.8
        link.event(106, 230_000, true, 5_000_000_000L); // 70/140 = 0.5
        link.event(158, 230_000, true, 5_000_000_000L); // unchanged, and told again
        link.event(210, 265_000, true, 2_500_000_000L); // 35/140 = 0.25
        link.event(262, 286_000, true, 1_000_000_000L); // 14/140 = 0.1
        link.event(314, 298_600, true, 100_000_000L); // 1.4/140 = 0.01
        link.event(366, 300_000, true, 1_000_000L); // Bm: the least rate, 1 Mb/s, not none
        link.event(418, 320_000, true, 1_000_000L); // above Bm: the same
        link.event(419, 250_000, false, 1_000_000L); // in the middle of a period
        link.event(470, 244_000, true, 4_000_000_000L); // 56/140 = 0.4
        link.event(522, 216_000, true, 6_000_000_000L); // 84/140 = 0.6
        link.event(574, 202_000, true, 7_000_000_000L); // 98/140 = 0.7
        link.event(575, 150_000, false, 7_000_000_000L); // below B0, not told yet
        link.event(626, 150_000, true, FREE); // told once
        link.event(678, 150_000, false, FREE); // and not again
        link.event(679, 167_000, true, 9_500_000_000L); // 133/140 = 0.95; T has long passed
        link.event(731, 100_000, true, FREE);
    }

    @Test
    void rateThatIsNotRepeatedNoLongerHolds() {
        Link link = new Link(config(Form.BUFFER, 5));
        link.event(0, 292_000, true, 2_500_000_000L);
        assertThat(link.there.sender.dataDeadlineNs()).isEqualTo(4 * 52_000);
        assertThat(link.rateBps(4 * 52_000 - 1)).isEqualTo(2_500_000_000L);
        assertThat(link.rateBps(4 * 52_000)).isEqualTo(FREE);
        assertThat(link.there.sender.dataDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(link.there.sender.counted(1)).isEqualTo(1);
    }

    @Test
    void linkThatComesUpAgainIsToldAgain() {
        Link link = new Link(config(Form.BUFFER, 5));
        link.event(0, 292_000, true, 2_500_000_000L);
        link.there.receiver.linkChanged();
        link.there.sender.linkChanged();
        assertThat(link.rateBps(1_000)).isEqualTo(FREE);
        link.here.sender.linkChanged();
        link.event(2, 292_000, true, 2_500_000_000L);
    }

    /** The sending end's deadline follows from what is held, so a change of it must ring. */
    @Test
    void inPeriodsTheSendingEndIsRungWhenReportsBeginAndEnd() {
        Held held = new Held();
        GfcReceiver receiver = new Port(config(Form.TIME, 1)).receiver;
        held.bytes = 200_000;
        assertThat(receiver.publish(0, held)).as("reports begin").isTrue();
        held.bytes = 210_000;
        assertThat(receiver.publish(1, held)).as("another length goes in its time").isFalse();
        held.bytes = 0;
        assertThat(receiver.publish(2, held)).as("no report is due any more").isTrue();
    }

    /** 1,000 slots are 300 kB, so a slot counts 300 bytes: 974 slots are 292,200. */
    @Test
    void shortFramesCountAsTheirSlots() {
        Link link = new Link(config(Form.BUFFER, 5));
        link.held.slots = 974;
        link.event(0, 62_336, true, 2_500_000_000L);
    }

    /** Each is counted, changes no rate, and leaves the one that is on. */
    @Test
    void hostileFramesAreCountedAndChangeNoRate() {
        for (Form form : Form.values()) {
            Link link = new Link(config(form, 5));
            link.event(0, 292_000, true, form == Form.BUFFER ? 2_500_000_000L : 571_428_571L);
            long rate = link.rateBps(1_000);
            GfcReceiver receiver = link.there.receiver;
            long mostAllowed =
                    form == Form.BUFFER ? GfcConfig.MOST_STAGES : GfcConfig.MOST_HELD_BYTES;
            int own = form == Form.BUFFER ? GfcFrame.STAGES : GfcFrame.HELD;
            MemorySegment frame = Arena.ofAuto().allocate(128);
            List<Long> absurd = List.of(mostAllowed + 1, 0x8000_0000L, 0xFFFF_FFFFL);
            for (long value : absurd) {
                GfcFrame.write(frame, 0, SOURCE, own);
                GfcFrame.value(frame, 0, PRIORITY, value);
                assertThat(receiver.receive(1_000, frame, 0, 60)).isFalse();
            }
            GfcFrame.write(frame, 0, SOURCE, own);
            for (int bytes = 0; bytes < 50; bytes++) {
                assertThat(receiver.receive(1_000, frame, 0, bytes)).as(bytes + " B").isFalse();
            }
            assertThat(receiver.ignored()).isEqualTo(absurd.size() + 50);
            GfcFrame.write(frame, 0, SOURCE, 2);
            assertThat(receiver.receive(1_000, frame, 0, 60)).as("no form").isFalse();
            frame.set(ValueLayout.JAVA_BYTE, 16, (byte) 2);
            assertThat(receiver.receive(1_000, frame, 0, 60)).as("no version").isFalse();
            assertThat(receiver.ignored()).isEqualTo(absurd.size() + 52);
            GfcFrame.write(frame, 0, SOURCE, 1 - own);
            assertThat(receiver.receive(1_000, frame, 0, 60)).as("the other form").isFalse();
            assertThat(receiver.mismatches()).isEqualTo(1);
            assertThat(link.rateBps(1_000)).isEqualTo(rate);
            assertThat(receiver.counted(0)).as("received").isEqualTo(1);
        }
    }

    /** Whatever is allowed of a frame's values: at least 1 Mb/s, at most the line's rate. */
    @Test
    void noValueLeadsAboveTheLineOrToAStandstill() {
        GfcConfig config = config(Form.BUFFER, 20);
        GfcStages stages = new GfcStages(config, LINE);
        for (int stage = 1; stage <= GfcConfig.MOST_STAGES; stage++) {
            assertThat(stages.rateBps(stage)).isBetween(1_000_000L, LINE / 2);
        }
        GfcLine line = new GfcLine(config, LINE);
        for (long held = 160_001; held <= GfcConfig.MOST_HELD_BYTES; held += 1 + held / 7) {
            assertThat(line.rateBps(held)).isBetween(1_000_000L, LINE);
        }
    }

    /** A report about priorities that are not rated does nothing. */
    @Test
    void prioritiesThatAreNotRatedAreLeftAlone() {
        Link link = new Link(config(Form.BUFFER, 5));
        MemorySegment frame = Arena.ofAuto().allocate(128);
        GfcFrame.write(frame, 0, SOURCE, GfcFrame.STAGES);
        GfcFrame.value(frame, 0, 4, 3);
        assertThat(link.there.receiver.receive(0, frame, 0, 60)).isTrue();
        link.there.sender.look(0);
        assertThat(link.there.sender.rateBps(4)).isEqualTo(FREE);
    }
}
