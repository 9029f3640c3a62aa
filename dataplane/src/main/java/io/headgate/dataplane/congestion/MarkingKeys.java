package io.headgate.dataplane.congestion;

import io.headgate.config.TrafficConfig;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import java.util.List;
import java.util.stream.IntStream;

/** Common defaults and checks for the configurations of marking mechanisms. */
public final class MarkingKeys {
    private MarkingKeys() {}

    /** The priorities that are watched by default. */
    public static List<Integer> allPriorities() {
        return IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList();
    }

    /** Rejects thresholds in the wrong order. */
    static void checkThresholds(long kminBytes, long kmaxBytes, Place place) {
        if (kmaxBytes < kminBytes) {
            place.child("kmax")
                    .refuse(
                            Quantity.SIZE.format(kmaxBytes),
                            "at least kmin, which is " + Quantity.SIZE.format(kminBytes));
        }
    }
}
