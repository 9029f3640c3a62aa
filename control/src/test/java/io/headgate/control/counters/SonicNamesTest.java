package io.headgate.control.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** SONiC's names next to ours. */
class SonicNamesTest {
    @Test
    void prioritiesAreInTheName() {
        assertThat(SonicNames.of("pfc.xoff.received.p3", true))
                .isEqualTo("SAI_PORT_STAT_PFC_3_RX_PKTS");
        assertThat(SonicNames.of("frames.started.p4", false)).isEqualTo("SAI_QUEUE_STAT_PACKETS");
        assertThat(SonicNames.of("bytes.received", true)).isEqualTo("SAI_PORT_STAT_IF_IN_OCTETS");
        assertThat(SonicNames.of("drop.QUEUE_FULL", false))
                .isEqualTo("SAI_PORT_STAT_IF_OUT_DISCARDS");
        assertThat(SonicNames.of("link.control.ignored", true)).isEmpty();
    }

    @Test
    void everyLabelIsOneThatSwitchesHave() {
        Set<String> known = new HashSet<>(Set.of("red.marked"));
        Arrays.stream(IngressCounter.values()).forEach(one -> known.add(one.text().label()));
        Arrays.stream(EgressCounter.values()).forEach(one -> known.add(one.text().label()));
        for (boolean credits : new boolean[] {false, true}) {
            PriorityCounter.ingress(credits).forEach(one -> known.add(bare(one)));
            PriorityCounter.egress(credits).forEach(one -> known.add(bare(one)));
        }
        assertThat(SonicNames.labels()).isSubsetOf(known).hasSizeGreaterThan(15);
    }

    private static String bare(CounterId one) {
        return one.text().label().replaceFirst("\\.p[0-7]$", "");
    }
}
