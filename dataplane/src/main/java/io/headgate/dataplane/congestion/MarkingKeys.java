package io.headgate.dataplane.congestion;

import io.headgate.config.TrafficConfig;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import java.util.List;
import java.util.stream.IntStream;

/** What the configurations of mechanisms that mark have in common. */
public final class MarkingKeys {
    private MarkingKeys() {}

    /** The priorities that are watched where a file says none. */
    public static List<Integer> allPriorities() {
        return IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList();
    }

    /** Refuses thresholds that are the wrong way round. */
    static void checkThresholds(long kminBytes, long kmaxBytes, Place place) {
        if (kmaxBytes < kminBytes) {
            place.child("kmax")
                    .refuse(
                            Quantity.SIZE.format(kmaxBytes),
                            "at least kmin, which is " + Quantity.SIZE.format(kminBytes));
        }
    }
}
