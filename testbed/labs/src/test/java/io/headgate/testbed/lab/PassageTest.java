package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.netns.Iperf3;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PassageTest {
    private static CounterSnapshot counters(String owner, Map<IngressCounter, Long> values) {
        List<Entry> entries = new ArrayList<>();
        for (IngressCounter id : values.keySet()) {
            entries.add(
                    new Entry(
                            Scope.INGRESS,
                            0,
                            owner,
                            id.label(),
                            "",
                            CounterId.Kind.TOTAL,
                            "",
                            id.ordinal()));
        }
        return CounterSnapshot.of(
                entries, entry -> values.get(IngressCounter.values()[entry.valueIndex()]));
    }

    /** Passage of 1,000 datagrams: 200 are lost before the card, 30 behind it, and 70 in queues. */
    private static Passage passage() {
        Iperf3.Outcome flow =
                new Iperf3.Outcome(
                        new Iperf3.Flow(2, 4),
                        Iperf3.Protocol.UDP,
                        null,
                        0,
                        0,
                        0,
                        290,
                        1_000,
                        0,
                        0,
                        // The last ten are not missed by the receiver.
                        "{\"end\": {\"sum_received\": {\"packets\": 990}}}");
        // In addition to the datagrams: ten packets of iperf3's own connection, and a copy made to
        // flood.
        CounterSnapshot card = counters("x-h2.app", Map.of(IngressCounter.FRAMES_RECEIVED, 810L));
        CounterSnapshot port =
                counters(
                        "p2",
                        Map.of(
                                IngressCounter.FRAMES_FORWARDED,
                                781L,
                                IngressCounter.FRAMES_COPIED,
                                1L));
        return Passage.of(flow, "h2", "p2", card, port, 1_010);
    }

    @Test
    void datagramsAreFollowedFromCountToCount() {
        Passage passage = passage();
        assertThat(passage.host()).isEqualTo("h2");
        assertThat(passage.lostInHost()).isEqualTo(200);
        assertThat(passage.lostOnTheWay()).isEqualTo(30);
        assertThat(passage.lostInQueues()).isEqualTo(70);
        assertThat(passage.lost()).isEqualTo(300);
        assertThat(passage.received()).isEqualTo(700);
    }

    @Test
    void queuesAreJudgedByWhatCameToThem() {
        assertThat(passage().partLostInQueues()).isEqualTo(70.0 / 770);
        assertThat(new Passage("h1", 10, 0, 0, 0).partLostInQueues()).isEqualTo(1);
    }

    @Test
    void whatNoCounterHasForLostIsLeftOver() {
        Loss queue = new Loss("switch, port p4", "QUEUE_FULL", 70, "");
        Loss card = new Loss("agent, h2.wire", "NO_SLOT", 30, "");
        Loss behind = new Loss("switch, port p4", "KERNEL_TX", 5, "");
        Loss late = new Loss("hosts", Losses.ENDED, 3, "");
        PhaseOutcome outcome =
                new PhaseOutcome(
                        new OwnLabSpec.Phase("lqd", 1, List.of(), List.of(), List.of(), List.of()),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of(queue, card, behind, late),
                        List.of(passage()),
                        List.of(),
                        List.of(),
                        List.of());
        assertThat(outcome.unexplained()).isEqualTo(192);
        assertThat(outcome.lostOutsideQueues()).containsExactly(card, behind);
    }
}
