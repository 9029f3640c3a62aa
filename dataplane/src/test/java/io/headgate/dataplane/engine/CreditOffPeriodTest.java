package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.queue.PriorityQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * With credits an OFF period ends when the grant comes, to the nanosecond, the wire busy or not.
 */
final class CreditOffPeriodTest {
    private static final int ECT_1 = 1;
    private static final int UE = 2;
    private static final int LANE = 3;
    private static final long US = 1_000;

    /** What a frame takes on the wire. */
    private static final long FRAME_NS = 1_000;

    private static final long MAX_ON_NS = 50_000;
    private static final String CREDITS =
            "classify: {trust: dscp}, credits: {update: periodic, period: 20us, block-scale: 0,"
                    + " buffer: 12kB}";
    private static final String TCD = ", congestion: {tcd: {kmin: 100kB, max-on: 50us, low: 5kB}}";

    // What its second port lets through goes to the first one of another; grants can be held back.
    private final TestSwitch test = two(TCD, "none", "credits");
    private final TestSwitch next = two("", "credits", "none");
    private final List<byte[]> held = new ArrayList<>();
    private boolean holds;

    private static TestSwitch two(String more, String first, String second) {
        String text =
                "name: s1\ndefaults: {account-cap-slots: 64, rate: 10Gbps, "
                        + CREDITS
                        + "}\nports:\n  - {name: p0, device: {afpacket: v0}, flow-control: "
                        + first
                        + "}\n  - {name: p1, device: {afpacket: v1}, flow-control: "
                        + second
                        + more
                        + "}\n";
        return new TestSwitch(SwitchConfigReader.read(text, "test.yaml"));
    }

    /** What the switch sends now, without credits; these go on to the next one. */
    private List<byte[]> sent() {
        test.settle();
        next.nowNs = test.nowNs;
        List<byte[]> data = new ArrayList<>();
        MemoryWire.FarEnd wire = test.hosts.get(1);
        for (byte[] frame = wire.collect(); frame != null; frame = wire.collect()) {
            if (frame[12] == 8 && frame[13] == 0) {
                data.add(frame);
            }
            next.hosts.get(0).inject(frame);
        }
        next.settle();
        MemoryWire.FarEnd back = next.hosts.get(0);
        for (byte[] frame = back.collect(); frame != null; frame = back.collect()) {
            held.add(frame);
        }
        if (!holds) {
            grant();
        }
        return data;
    }

    private void grant() {
        held.forEach(test.hosts.get(1)::inject);
        held.clear();
        test.settle();
    }

    private List<byte[]> run(long forNs) {
        List<byte[]> data = new ArrayList<>();
        for (long endNs = test.nowNs + forNs; test.nowNs < endNs; test.nowNs += US) {
            data.addAll(sent());
        }
        return data;
    }

    private void come(int trafficClass, int frames) {
        for (int i = 0; i < frames; i++) {
            test.hosts.get(0).inject(frame(1, 2, trafficClass, i));
        }
    }

    /** The code point with which a frame leaves that starts at a time. */
    private int markAt(long nowNs) {
        while (test.nowNs + US < nowNs) {
            assertThat(sent()).isEmpty();
            test.nowNs += US;
        }
        test.nowNs = nowNs;
        come(LOSSLESS | ECT_1, 1);
        return mark(sent());
    }

    private static int mark(List<byte[]> frames) {
        assertThat(frames).hasSize(1);
        return frames.getFirst()[15] & 3;
    }

    /** Ten frames use up the credits, two more wait; then the wire is taken by one without. */
    private void stopAndTakeTheWire() {
        run(200 * US);
        next.hosts.get(1).inject(frame(2, 1, LOSSY, 0)); // or all would be flooded
        run(100 * US);
        holds = true;
        come(LOSSLESS | ECT_1, 12);
        // Off the instants at which this end tells its credits.
        assertThat(run(105 * US)).hasSizeBetween(9, 10).allMatch(frame -> (frame[15] & 3) == ECT_1);
        come(LOSSY, 1);
        assertThat(sent()).hasSize(1).allMatch(frame -> frame[15] == (byte) LOSSY);
    }

    /** When the grant has come, while the wire was busy; the frames that waited have left. */
    private long granted() {
        stopAndTakeTheWire();
        long busyUntilNs = test.nowNs + FRAME_NS;
        test.nowNs += 300;
        long endedNs = test.nowNs;
        grant();
        assertThat(sent()).as("the wire is busy").isEmpty();
        test.nowNs = busyUntilNs - 1;
        assertThat(sent()).as("the wire is busy").isEmpty();
        test.nowNs = busyUntilNs;
        assertThat(mark(sent())).isEqualTo(UE);
        assertThat(run(10 * US)).allMatch(frame -> (frame[15] & 3) == UE);
        return endedNs;
    }

    @Test
    void theLastFrameOfMaxTonIsCountedFromTheGrant() {
        assertThat(markAt(granted() + MAX_ON_NS)).isEqualTo(UE);
    }

    /** A watchdog drops all that waits: from then on nothing is stopped, though no grant comes. */
    @Test
    void aStopEndsWhenTheWatchdogHasEmptiedTheLane() {
        TestSwitch s = test;
        stopAndTakeTheWire();
        s.set("p1.watchdog.poll=100us", "p1.watchdog.detection=1ms", "p1.watchdog.restoration=1s");
        EgressFlowControl flow = Objects.requireNonNull(s.engine.egress(1).flow());
        long endedNs = 0;
        for (int i = 0; i < 20_000 && endedNs == 0; i++) {
            s.nowNs += US;
            s.settle();
            if (s.drops("p1", DropReason.WATCHDOG) > 0) {
                endedNs = s.nowNs;
            }
        }
        assertThat(endedNs).isPositive();
        assertThat(flow.stopped()).isZero();
        assertThat(flow.endedNs(LANE)).isEqualTo(endedNs);
        StopTimes times = Objects.requireNonNull(flow.times());
        long totalNs = times.totalNs(LANE, s.nowNs);
        s.nowNs += 50 * US;
        s.settle();
        assertThat(times.totalNs(LANE, s.nowNs)).isEqualTo(totalNs);
        assertThat(times.stops(LANE)).isEqualTo(1);
    }

    /** So it does when the queues are handed over, and what waited is of another priority now. */
    @Test
    void aStopEndsWhenWhatWaitedIsTakenOut() {
        stopAndTakeTheWire();
        EgressFlowControl flow = Objects.requireNonNull(test.engine.egress(1).flow());
        assertThat(flow.stopped()).isEqualTo(1 << LANE);
        test.nowNs += 7 * US;
        flow.look(test.nowNs, new PriorityQueues(0));
        assertThat(flow.stopped()).isZero();
        assertThat(flow.endedNs(LANE)).isEqualTo(test.nowNs);
    }

    @Test
    void aNanosecondAfterThatNothingIsMarked() {
        assertThat(markAt(granted() + MAX_ON_NS + 1)).isEqualTo(ECT_1);
    }
}
