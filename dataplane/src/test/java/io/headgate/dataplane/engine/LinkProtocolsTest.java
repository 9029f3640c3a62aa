package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static io.headgate.dataplane.engine.LosslessTraffic.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.linkcontrol.StopSignal;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.queue.PriorityQueues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several link protocols at one port, one of them of the kind that others add. */
final class LinkProtocolsTest {
    private static final int QUEUE = 3;

    private static TestSwitch with(String flowControl) {
        TestSwitch test = lossless(2, flowControl + ", link-control: {stop-signal: {priority: 3}}");
        test.hosts.get(1).inject(frame(1, 0, LOSSY, 0)); // or all would be flooded
        test.run(5_000);
        return test;
    }

    private static void pause(TestSwitch test, int quanta) {
        List<Integer> times = List.of(0, 0, 0, quanta, 0, 0, 0, 0);
        test.hosts.get(1).inject(new PfcFrame(SENDER, 1 << QUEUE, times).encode());
    }

    private static EgressFlowControl flow(TestSwitch test) {
        return Objects.requireNonNull(test.engine.egress(1).flow());
    }

    /** When, from now on, the frame arrives that waits. */
    private static long arrivesNs(TestSwitch test) {
        long startNs = test.nowNs;
        while (test.nowNs < startNs + 200_000) {
            byte[] came = test.hosts.get(1).collect();
            if (came != null) {
                assertThat(number(came)).isEqualTo(7);
                return test.nowNs - startNs;
            }
            test.run(1_000);
        }
        return -1;
    }

    @Test
    void aQueueMaySendWhenEachProtocolLetsIt() {
        for (long goNs : List.of(20_000L, 80_000L)) {
            TestSwitch test = with("flow-control: pfc");
            test.received();
            long startNs = test.nowNs;
            pause(test, 1000); // 51.2 µs
            test.hosts.get(1).inject(StopSignal.frame(1));
            test.settle();
            test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 7));
            test.run(goNs);
            assertThat(flow(test).stopped()).isEqualTo(1 << QUEUE);
            test.hosts.get(1).inject(StopSignal.frame(0));
            long endNs = startNs + Math.max(goNs, 51_200);
            assertThat(startNs + goNs + arrivesNs(test)).isBetween(endNs, endNs + 2_000);
            assertThat(flow(test).stopped()).isZero();
            assertThat(flow(test).endedNs(QUEUE)).isEqualTo(endNs);
            assertThat(test.totalDrops()).isZero();
        }
    }

    @Test
    void aPauseThatEndsWhileAnotherStopsIsNoRelease() {
        TestSwitch test = with("flow-control: pfc");
        pause(test, 100); // 5.12 µs
        test.hosts.get(1).inject(StopSignal.frame(1));
        test.settle();
        assertThat(flow(test).look(test.nowNs + 6_000, noQueues())).isZero();
        test.nowNs += 7_000;
        test.hosts.get(1).inject(StopSignal.frame(0));
        for (Duty duty : test.engine.duties()) {
            if (duty instanceof IngressHalf) {
                duty.doWork(test.nowNs);
            }
        }
        assertThat(flow(test).look(test.nowNs, noQueues())).isEqualTo(1 << QUEUE);
    }

    private static PriorityQueues noQueues() {
        return new PriorityQueues(0);
    }

    /** Without pauses it is the first protocol of the port, and the priority is a lossy one. */
    @ParameterizedTest
    @ValueSource(strings = {"flow-control: none", "flow-control: pfc"})
    void aQueueThatAJoinedProtocolStopsIsCounted(String flowControl) {
        TestSwitch test = with(flowControl);
        test.hosts.get(1).inject(StopSignal.frame(1));
        test.settle();
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 7));
        test.settle();
        assertThat(test.value("p1", "stopped.p3")).isEqualTo(1);
        test.run(50_000);
        test.hosts.get(1).inject(StopSignal.frame(0));
        test.settle();
        assertThat(test.value("p1", "stopped.ns.p3")).isEqualTo(50_000);
    }

    @Test
    void theWatchdogFindsAQueueThatAJoinedProtocolStopsForEver() {
        TestSwitch test = with("flow-control: pfc, watchdog: {poll: 10us, detection: 100us}");
        test.hosts.get(1).inject(StopSignal.frame(1));
        test.settle();
        long startNs = test.nowNs;
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 7));
        test.run(90_000);
        assertThat(test.value("p1", "watchdog.storms.p3")).isZero();
        test.run(40_000);
        assertThat(test.value("p1", "watchdog.storms.p3")).isEqualTo(1);
        assertThat(test.drops("p1", DropReason.WATCHDOG)).isEqualTo(1);
        long endNs = test.nowNs;
        test.hosts.get(1).inject(StopSignal.frame(0));
        test.settle();
        assertThat(Objects.requireNonNull(flow(test).times()).totalNs(QUEUE, test.nowNs + 5_000))
                .isEqualTo(endNs - startNs);
    }

    @Test
    void aQueueThatTwoProtocolsStopIsStoppedFromTheFirstToTheLast() {
        TestSwitch test = with("flow-control: pfc");
        long startNs = test.nowNs;
        pause(test, 1000); // 51.2 µs
        test.settle();
        test.run(20_000);
        test.hosts.get(1).inject(StopSignal.frame(1));
        test.run(60_000);
        long endNs = test.nowNs;
        test.hosts.get(1).inject(StopSignal.frame(0));
        test.settle();
        StopTimes times = Objects.requireNonNull(flow(test).times());
        assertThat(times.stops(QUEUE)).isEqualTo(1);
        assertThat(times.totalNs(QUEUE, test.nowNs)).isEqualTo(endNs - startNs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow-control: none", "flow-control: pfc", "flow-control: credits"})
    void eachSendsItsFramesInTheOrderOfTheProtocols(String flowControl) {
        TestSwitch test = with(flowControl);
        List<Integer> kinds = new ArrayList<>();
        for (byte[] frame = test.hosts.get(1).collect();
                frame != null;
                frame = test.hosts.get(1).collect()) {
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            if ((bytes.getShort(12) & 0xFFFF) == 0x8808) {
                kinds.add((int) bytes.getShort(14));
            } else if ((bytes.getShort(12) & 0xFFFF) == 0x88B5) {
                kinds.add(0);
            }
        }
        assertThat(kinds).contains(StopSignal.OPCODE);
        assertThat(kinds.getFirst())
                .isEqualTo(flowControl.contains("credits") ? 0 : StopSignal.OPCODE);
    }

    @ParameterizedTest
    @CsvSource({"none, 4", "pfc, 8", "credits, 8"})
    void eachProtocolHasSlotsForItsOwnFrames(String flowControl, int slots) {
        TestSwitch test = with("flow-control: " + flowControl);
        assertThat(test.engine.egress(1).freeLinkSlots()).isEqualTo(slots);
        assertThat(test.engine.egress(test.engine.localPort()).freeLinkSlots()).isZero();
    }

    @Test
    void eachProtocolHearsOfWhatIsChanged() {
        TestSwitch test = with("flow-control: pfc");
        test.received();
        test.set("p1.rate=5Gbps", "p1.link-control.stop-signal.priority=5");
        test.hosts.get(1).inject(StopSignal.frame(1));
        test.settle();
        assertThat(flow(test).stopped()).isEqualTo(1 << 5);
        // 51.2 µs: the far end counts at the link's rate, and does not know the other one.
        pause(test, 1000);
        test.settle();
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 7));
        assertThat(arrivesNs(test)).isBetween(51_200L, 55_200L);
    }

    @Test
    void aProtocolIsNotTurnedOffWhileTheFarEndSpeaksIt() {
        TestSwitch test = with("flow-control: pfc");
        assertThatThrownBy(() -> test.set("p1.link-control.stop-signal.enabled=false"))
                .hasMessageContaining("p1.link-control.stop-signal.enabled: found false")
                .hasMessageContaining("until the switch restarts: the ends of a link");
    }

    @Test
    void whatNobodyTakesIsIgnoredOrForeign() {
        TestSwitch test = with("flow-control: none");
        byte[] odd = StopSignal.frame(1);
        odd[15] = 9;
        test.hosts.get(1).inject(odd);
        test.hosts.get(1).inject(StopSignal.frame(0));
        test.run(1_000);
        assertThat(test.value("p1", "link.control.ignored")).isEqualTo(1);
        assertThat(test.value("p1", "link.control.mismatches")).isZero();
        odd[12] = (byte) 0x88;
        odd[13] = (byte) 0xB5;
        test.hosts.get(1).inject(odd);
        test.run(1_000);
        assertThat(test.value("p1", "link.control.mismatches")).isEqualTo(1);
    }
}
