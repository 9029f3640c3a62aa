package io.headgate.testbed.scenario.compare;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.config.key.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rate control that {@code compare-controllers} runs: what flows have with it, and what ports
 * need for it.
 */
public interface Controller {
    List<Integer> WATCHED = List.of(Senders.PRIORITY);

    /** By which a person asks for it. */
    String word();

    /** What says how fast flows may send, over links of a rate. */
    Mechanisms.Use use(long rateBps);

    /** Lossless ports with what it needs; by default with nothing. */
    default PortTraffic ports(PortTraffic lossless, long rateBps) {
        return lossless;
    }

    /** By how much frames become longer on their way. */
    default int moreBytes() {
        return 0;
    }

    /** Whether switches must not route. */
    default boolean needsBridges() {
        return false;
    }

    /**
     * The queue of one bottleneck at which the published analysis has the flows rest, in kB; not a
     * number if it has none.
     *
     * @param roundTripUs without queues
     */
    default double queueKb(int senders, long rateBps, double roundTripUs) {
        return Double.NaN;
    }

    /** By when flows rest. */
    default long settledNs() {
        return 60_000_000;
    }

    /** The published ones first, then all others that are registered, those of jars among them. */
    static List<Controller> all() {
        return Stream.concat(Stream.of(Published.values()), Registered.others()).toList();
    }

    static Controller of(String word) {
        return all().stream().filter(each -> each.word().equals(word)).findAny().orElseThrow();
    }

    /** Ports with one lossless priority, by DSCP. */
    static PortTraffic lossless() {
        return PortTraffic.NONE
                .with("classify.trust", TrafficConfig.Trust.DSCP)
                .with("lossless", WATCHED);
    }

    /** A mechanism with these keys over links of a rate; null if it needs others. */
    static <C extends Record> Mechanisms.@Nullable Use use(
            Mechanism<C> mechanism, long rateBps, Map<String, ?> keys) {
        AtomicBoolean isRefused = new AtomicBoolean();
        Source source =
                new Source() {
                    @Override
                    public void refuse(String at, String found, String allowed) {
                        isRefused.set(true);
                    }

                    @Override
                    public void refuse(String at) {
                        isRefused.set(true);
                    }
                };
        C config =
                Section.of(mechanism.configuration())
                        .read(Place.of(source, keys), Known.of(Map.of("rate", rateBps)));
        return config == null || isRefused.get() ? null : mechanism.use(config);
    }
}
