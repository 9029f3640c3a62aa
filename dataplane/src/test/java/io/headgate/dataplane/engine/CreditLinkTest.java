package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.credit.CreditRegister;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Credits over a link between two switches: what they let through, and what not. */
final class CreditLinkTest {
    /** Two switches, their ports p1 and p0 one link; the second's other port has a tenth. */
    private static final class Pair {
        final TestSwitch left;
        final TestSwitch right;

        Pair(String leftKeys, String rightKeys) {
            left = two(leftKeys, "none", "credits", "10Gbps", "10Gbps");
            right = two(rightKeys, "credits", "none", "10Gbps", "1Gbps");
            MemoryWire link = new MemoryWire("link", 256, 9216);
            left.reattach(1, link.device(0, left.engine.region()));
            right.reattach(0, link.device(1, right.engine.region()));
        }

        private static TestSwitch two(
                String keys, String first, String second, String firstRate, String secondRate) {
            String text =
                    "name: s1\ndefaults: {account-cap-slots: 64, "
                            + keys
                            + "}\nports:\n  - {name: p0, device: {afpacket: v0}, flow-control: "
                            + first
                            + ", rate: "
                            + firstRate
                            + "}\n  - {name: p1, device: {afpacket: v1}, flow-control: "
                            + second
                            + ", rate: "
                            + secondRate
                            + "}\n";
            return new TestSwitch(SwitchConfigReader.read(text, "test.yaml"));
        }

        void tick() {
            left.settle();
            right.settle();
            left.settle();
            right.settle();
            left.nowNs += 1_000;
            right.nowNs += 1_000;
        }

        void run(int ticks) {
            for (int i = 0; i < ticks; i++) {
                tick();
            }
        }

        int leftState() {
            return state(left);
        }
    }

    private static int state(TestSwitch left) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(left.engine.ingress(1).flow()).credits())
                .state();
    }

    /** The same with a link that takes its time, and a far end that may be another some day. */
    private static final class LongLink {
        private static final int DELAY_TICKS = 20;

        final TestSwitch left = Pair.two(CREDITS, "none", "credits", "10Gbps", "10Gbps");
        private final ArrayDeque<List<byte[]>> forth = new ArrayDeque<>();
        private final ArrayDeque<List<byte[]>> back = new ArrayDeque<>();
        TestSwitch right;

        LongLink(String rightKeys) {
            right = plug(rightKeys);
        }

        /** Another switch at the far end, which nothing that is under way reaches. */
        TestSwitch plug(String keys) {
            right = Pair.two(keys, "credits", "none", "10Gbps", "1Gbps");
            right.nowNs = left.nowNs;
            right.hosts.get(1).inject(frame(2, 1, LOSSY, 0)); // or all would be flooded
            right.settle();
            forth.clear();
            back.clear();
            return right;
        }

        void run(int ticks) {
            for (int i = 0; i < ticks; i++) {
                pass(left.hosts.get(1), forth, right.hosts.get(0));
                pass(right.hosts.get(0), back, left.hosts.get(1));
                left.settle();
                right.settle();
                left.nowNs += 1_000;
                right.nowNs += 1_000;
            }
        }

        private static void pass(
                MemoryWire.FarEnd from, ArrayDeque<List<byte[]>> link, MemoryWire.FarEnd to) {
            List<byte[]> leaving = new ArrayList<>();
            for (byte[] frame = from.collect(); frame != null; frame = from.collect()) {
                leaving.add(frame);
            }
            link.add(leaving);
            if (link.size() > DELAY_TICKS) {
                link.remove().forEach(to::inject);
            }
        }
    }

    private static final String CREDITS =
            "classify: {trust: dscp}, credits: {update: periodic, period: 20us, block-scale: 0,"
                    + " buffer: 60kB}";

    @Test
    void creditsBringALinkUpAndHoldTheSenderWithoutLoss() {
        Pair pair = new Pair(CREDITS, CREDITS);
        pair.run(100);
        assertThat(pair.leftState()).isEqualTo(CreditRegister.UP);
        pair.right.hosts.get(1).inject(frame(2, 1, LOSSY, 0)); // or all would be flooded
        pair.run(100);
        int sent = 0;
        int received = 0;
        int next = 0;
        for (int tick = 0; tick < 20_000; tick++) {
            if (tick % 2 == 0) {
                pair.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, sent++));
            }
            pair.tick();
            byte[] got = pair.right.hosts.get(1).collect();
            if (got != null) {
                received++;
                assertThat(number(got)).isGreaterThanOrEqualTo(next);
                next = number(got) + 1;
            }
        }
        assertThat(received).isGreaterThan(1_900);
        // What does not fit is refused where it came in, for that port has no flow control.
        assertThat(pair.left.totalDrops())
                .isEqualTo(pair.left.drops("p0", DropReason.ACCOUNT_AT_CAP));
        assertThat(pair.right.totalDrops()).isZero();
        IngressFlowControl flow = Objects.requireNonNull(pair.right.engine.ingress(0).flow());
        assertThat(flow.accounts().maxBytes(3)).isBetween(50_000L, 60_000L);
        var times = Objects.requireNonNull(pair.left.engine.egress(1).flow()).times();
        assertThat(Objects.requireNonNull(times).totalNs(3, pair.left.nowNs)).isPositive();
    }

    /** By what the one before it had granted, it would get 40 µs of the line: 50kB. */
    @Test
    void aFarEndThatComesBackWithLessRoomIsSentNoMoreThanThat() {
        LongLink link = new LongLink(CREDITS);
        link.run(500);
        link.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, 0));
        link.run(100);
        assertThat(link.right.received()[1]).isEqualTo(1);
        TestSwitch smaller = link.plug(CREDITS.replace("60kB", "6kB"));
        while (state(link.left) == CreditRegister.UP) {
            link.run(1); // until its greeting comes it is taken for the one before
        }
        for (int tick = 1; tick < 2_000; tick++) {
            link.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, tick));
            link.run(1);
        }
        assertThat(smaller.received()[1]).isGreaterThan(100);
        assertThat(smaller.totalDrops()).isZero();
    }

    /** Or the next credit frame would take them for lost on the link. */
    @Test
    void framesThatAreDroppedAsTheyComeHaveComeAllTheSame() {
        Pair pair = new Pair(CREDITS + ", vlan: {trunk: [5], native: 1}", CREDITS);
        pair.run(100);
        byte[] plain = frame(1, 2, LOSSLESS, 0);
        ByteBuffer tagged = ByteBuffer.allocate(plain.length + 4);
        tagged.put(plain, 0, 12).putInt(0x8100_0005).put(plain, 12, plain.length - 12);
        for (int tick = 0; tick < 60; tick++) {
            for (int together = 0; together <= tick % 3; together++) {
                pair.left.hosts.get(0).inject(tagged.array());
            }
            pair.run(5);
        }
        assertThat(pair.right.drops("p0", DropReason.VLAN_NOT_ALLOWED)).isEqualTo(120);
        var flow = Objects.requireNonNull(pair.right.engine.ingress(0).flow());
        assertThat(Objects.requireNonNull(flow.credits()).lostBlocks(3)).isZero();
    }

    @Test
    void lossyPrioritiesNeedNoCredits() {
        Pair pair = new Pair(CREDITS, CREDITS);
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSY, 9));
        pair.run(20);
        assertThat(number(pair.right.collect(1))).isEqualTo(9);
    }

    @Test
    void endsThatSortDifferentlyLetNoLosslessFrameThroughAndSaySo() {
        Pair pair =
                new Pair(
                        CREDITS,
                        CREDITS.replace(
                                "trust: dscp", "trust: dscp, dscp: [{values: [5], priority: 3}]"));
        pair.run(500);
        assertThat(pair.leftState()).isEqualTo(CreditRegister.DOWN);
        var credits = Objects.requireNonNull(pair.left.engine.ingress(1).flow()).credits();
        assertThat(Objects.requireNonNull(credits).isMismatched()).isTrue();
        assertThat(pair.left.value("p1", "link.control.mismatches")).isPositive();
        assertThat(pair.right.value("p0", "link.control.mismatches")).isPositive();
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, 9));
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSY, 10));
        pair.run(50);
        assertThat(number(pair.right.collect(1))).isEqualTo(10);
        assertThat(pair.right.hosts.get(1).collect()).isNull();
    }
}
