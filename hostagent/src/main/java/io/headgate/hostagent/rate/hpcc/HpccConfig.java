package io.headgate.hostagent.rate.hpcc;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.config.key.Section;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The parameters of a flow's reaction to telemetry; see {@link HpccWindow}.
 *
 * @param window whether the window bounds the bytes under way; false: it only determines the rate
 */
@Named(
        says =
                "A window that keeps the data in flight at 95 % of the capacity of the busiest link"
                        + " on the path, by the telemetry of its port (HPCC, SIGCOMM 2019); needs"
                        + " congestion: telemetry.")
public record HpccConfig(
        @Key(absent = "published")
                @Says(
                        "The set of defaults for keys that are not given: of Li et al. (SIGCOMM"
                                + " 2019), of their repository's scripts, or of Menikkumbura's"
                                + " dissertation (2022), chapter 3.")
                Parameters parameters,
        @Key(min = "0.1", max = "1", absent = "0.95") @Says("Target utilisation of a link.")
                double eta,
        @Key(min = "0", max = "100", example = "5")
                @Says(
                        "Number of round trips in which the window grows by additive steps before"
                                + " it grows multiplicatively.")
                @Otherwise("5; repository: 0")
                int maxStage,
        @Key(quantity = DURATION, min = "100ns", max = "10s", example = "13us")
                @Says(
                        "T: the longest round trip of the network without queues. The same for all"
                                + " its flows.")
                @Otherwise("13us; dissertation: 6us")
                long baseRttNs,
        @Key(quantity = SIZE, min = "0B", max = "1MB", example = "80B")
                @Says(
                        "W_AI: one additive step of the window. 0B: computed from the line rate by"
                                + " the rule of the set of defaults.")
                @Otherwise(
                        "80B; repository: the data that is sent in T at 10Mbps per 25Gbps of line"
                                + " rate; dissertation: (1 - eta) of the first window, divided by"
                                + " flows")
                long additiveBytes,
        @Key(min = "1", max = "100000", absent = "4")
                @Says("Number of flows on a link for which additive is computed from the rate.")
                int flows,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps")
                @Says(
                        "Minimum rate: the window is at least the data that is sent at this rate in"
                                + " T; forged telemetry cannot stop a flow.")
                @Otherwise("100Mbps")
                long leastRateBps,
        @Key(absent = "true")
                @Says(
                        "Whether the window limits the data in flight. false: it only determines"
                                + " the rate, as in the code that Menikkumbura published.")
                boolean window) {

    /** The source of a set of parameters. */
    public enum Parameters {
        PUBLISHED,
        REPOSITORY,
        DISSERTATION
    }

    private static final int STAGES = 5;
    private static final long PUBLISHED_T_NS = 13_000;
    private static final long DISSERTATION_T_NS = 6_000;
    private static final long PUBLISHED_STEP_BYTES = 80;
    private static final long LEAST_RATE_BPS = 100_000_000;
    private static final double REPOSITORY_STEP_OF_RATE = 10e6 / 25e9;
    private static final double BITS_AND_NS = 8e9;

    private static Parameters set(Known known) {
        return known.get("parameters", Parameters.class);
    }

    static int maxStage(Known known) {
        return set(known) == Parameters.REPOSITORY ? 0 : STAGES;
    }

    static long baseRttNs(Known known) {
        return set(known) == Parameters.DISSERTATION ? DISSERTATION_T_NS : PUBLISHED_T_NS;
    }

    static long additiveBytes(Known known) {
        return set(known) == Parameters.PUBLISHED ? PUBLISHED_STEP_BYTES : 0;
    }

    static long leastRateBps(Known known) {
        return LEAST_RATE_BPS;
    }

    /** A set of parameters for a network with that T. */
    public static HpccConfig of(Parameters parameters, long baseRttNs) {
        Section<HpccConfig> section = Section.of(HpccConfig.class);
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("parameters", section.said("parameters", parameters));
        keys.put("base-rtt", section.said("base-rtt", baseRttNs));
        return Objects.requireNonNull(section.read(Place.nowhere().saying(keys), Known.NOTHING));
    }

    /** Bytes that a link of some rate carries in T. */
    double bytesInT(long rateBps) {
        return (double) rateBps * baseRttNs / BITS_AND_NS;
    }

    /** W_AI at a host with that line rate. */
    double stepBytes(long lineRateBps) {
        if (additiveBytes > 0) {
            return additiveBytes;
        }
        return switch (parameters) {
            case PUBLISHED -> PUBLISHED_STEP_BYTES;
            case REPOSITORY -> bytesInT(lineRateBps) * REPOSITORY_STEP_OF_RATE;
            case DISSERTATION -> bytesInT(lineRateBps) * (1 - eta) / flows;
        };
    }
}
