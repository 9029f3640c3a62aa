package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.hostagent.rate.FlowRates;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rates of a host's flows, as a person and a program see them. */
class RatesSectionTest {
    private static final long ORIGIN = 0x0A63_00FEL << 32 | 0x0403;

    private static final FlowRates.Row FREE =
            new FlowRates.Row(
                    6,
                    0x2001_0DB8_0000_0000L,
                    1,
                    40_000,
                    0x2001_0DB8_0000_0000L,
                    2,
                    5201,
                    100_000_000,
                    false,
                    0,
                    0,
                    0,
                    0);

    private static FlowRates.Row limited() {
        long noticedNs = System.nanoTime() - 7_000_000_000L;
        return new FlowRates.Row(
                17,
                0,
                0x0A63_0001,
                50_000,
                0,
                0x0A63_0004,
                5201,
                33_300_000,
                true,
                ORIGIN,
                12,
                noticedNs,
                3);
    }

    @Test
    void limitedFlowsComeFirstWithWhoLimitsThemByThePortsNumberInItsConfiguration() {
        List<RatesSection.Row> rows = RatesSection.shown(List.of(FREE, limited()));
        assertThat(rows.getFirst().congestionPoint()).isEqualTo("10.99.0.254 p4 priority 3");
        assertThat(rows.getFirst().sinceNoticeMs()).isBetween(7_000L, 100_000L);
        assertThat(rows.getLast().sinceNoticeMs()).isEqualTo(-1);
        String table = RatesSection.table(List.of(FREE, limited()));
        assertThat(table.lines().filter(line -> line.contains(" to ")).findFirst().orElseThrow())
                .contains("UDP 10.99.0.1:50000 to 10.99.0.4:5201", "33.300", "p4", "12");
        assertThat(table).contains("TCP [2001:db8:0:0:0:0:0:1]:40000 to", "100.000 (line)", "none");
    }
}
