package io.headgate.hostagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.PortTraffic;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NicStatisticsTest {
    private static final long RATE_BPS = 1_000_000_000L;

    private static List<Entry> counters(String wire) {
        PortTraffic.End end = PortTrafficReader.read(wire).at(RATE_BPS, 1500, 1000, 1024);
        CardSetup setup = CardSetup.of("h1", RATE_BPS).withWire(end);
        return new HostCard(setup, new PolledHost(0, 0), true, List.of(HostCounter.values()))
                .counters()
                .entries();
    }

    private static Map<String, Long> statistics(List<Entry> entries) {
        return NicStatistics.of("h1", entries, entry -> 1_000_000 + entry.valueIndex());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{flow-control: none}",
                "{flow-control: pfc, lossless: [3]}",
                "{flow-control: credits, lossless: [3]}"
            })
    void aCounterThatIsMissedIsAnErrorAndNotZero(String wire) {
        List<Entry> all = counters(wire);
        Map<String, Long> full = statistics(all);
        int missed = 0;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).label().startsWith(DropCounters.LABEL_PREFIX)) {
                continue; // of those, sums are shown
            }
            List<Entry> renamed = new ArrayList<>(all);
            String label = renamed.remove(i).label();
            try {
                assertThat(statistics(renamed)).as("without %s", label).isEqualTo(full);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("no counter ");
                missed++;
            }
        }
        assertThat(missed).isGreaterThanOrEqualTo(14);
        List<Entry> without =
                all.stream()
                        .filter(entry -> !entry.label().startsWith(DropCounters.LABEL_PREFIX))
                        .toList();
        assertThatThrownBy(() -> statistics(without)).hasMessageContaining("no counter drop.");
    }
}
