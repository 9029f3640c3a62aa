package io.headgate.dataplane.lldp;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.service.Services;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a switch says who it is. */
final class LldpAgentTest {
    private static final long S = 1_000_000_000;

    private static SwitchConfig every(long seconds) {
        return TestSwitch.bridge(1)
                .withMechanisms(
                        Mechanisms.NONE.with(new Lldp().use(new LldpConfig(seconds * S, 4))));
    }

    @Test
    void anotherIntervalBeginsWithWhatWasSaidLast() {
        CounterDirectory counters = new CounterDirectory();
        int block = counters.reserve(Scope.SWITCH, 0, "s", Services.counters(every(1)).getFirst());
        counters.bindPrivately();
        List<Long> said = new ArrayList<>();
        long[] nowNs = {0};
        Services services =
                new Services(
                        every(30),
                        new Services.Parts(
                                SwitchAddresses.of(every(30)),
                                port -> true,
                                (segment, at, bytes, port) -> said.add(nowNs[0] / S),
                                service -> counters.block(block),
                                (service, failure) -> {},
                                () -> {}));
        for (int second = 1; second < 80; second++) {
            nowNs[0] = second * S;
            if (second == 5) {
                services.prepare(every(30), every(2)).run();
            } else if (second == 10) {
                services.prepare(every(2), every(30)).run();
            }
            services.doWork(nowNs[0]);
        }
        assertThat(said).containsExactly(1L, 5L, 7L, 9L, 39L, 69L);
    }
}
