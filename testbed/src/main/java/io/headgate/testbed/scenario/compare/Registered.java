package io.headgate.testbed.scenario.compare;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.hostagent.rate.RateControlMechanism;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A control by its registered name, with its own defaults, and ports with what it says that it
 * needs: a user's own from a jar, and those of ours that are not among the published ones.
 */
record Registered(RateControlMechanism<?> mechanism) implements Controller {
    /** Has no default rate. */
    private static final String FIXED = "fixed";

    private static final long ANY_BPS = 40_000_000_000L;

    /** All that {@link Published} does not have and that run without a key, by their names. */
    static Stream<Registered> others() {
        Set<String> published =
                Arrays.stream(Published.values())
                        .map(each -> each.use(ANY_BPS).name())
                        .collect(Collectors.toSet());
        return MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream()
                .filter(each -> !published.contains(each.name()) && !each.name().equals(FIXED))
                .filter(each -> Controller.use(each, ANY_BPS, Map.of()) != null)
                .map(each -> new Registered((RateControlMechanism<?>) each))
                .sorted(Comparator.comparing(Registered::word));
    }

    @Override
    public String word() {
        return mechanism.name();
    }

    @Override
    public Mechanisms.Use use(long rateBps) {
        return Objects.requireNonNull(Controller.use(mechanism, rateBps, Map.of()));
    }

    @Override
    public PortTraffic ports(PortTraffic lossless, long rateBps) {
        Map<String, Object> all = new LinkedHashMap<>(lossless.said());
        String more = mechanism.needsCredits() ? ", flow-control: credits" : "";
        String text = "{congestion: " + mechanism.atSwitches() + more + "}";
        all.putAll(PortTrafficReader.read(text).said());
        return new PortTraffic(all);
    }
}
