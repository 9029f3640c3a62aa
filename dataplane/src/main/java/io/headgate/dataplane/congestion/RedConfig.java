package io.headgate.dataplane.congestion;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import java.util.List;

/**
 * Configuration of RED marking by the length of a port's queues; see {@link RedDetector}.
 *
 * @param weight weight of the present length in the average; 1: no averaging
 */
@Named(
        says =
                "Marks frames of ECN-capable transports \"congestion experienced\" by the length of"
                        + " their queue, at random between two lengths (RFC 3168; as in DCTCP and DCQCN).")
public record RedConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "100kB")
                @Says("Up to this length of its queue no frame is marked.")
                long kminBytes,
        @Key(quantity = SIZE, min = "1kB", max = "1GB")
                @Says("From this length of its queue on every frame is marked.")
                @Otherwise("four times kmin")
                long kmaxBytes,
        @Key(min = "0", max = "1", absent = "0.1", example = "0.01")
                @Says("How likely a frame is marked just below kmax; between, it grows linearly.")
                double pmax,
        @Key(min = "0.0001", max = "1", absent = "1", example = "0.002")
                @Says(
                        "How much the queue's length at a frame counts in the average by which it"
                                + " is marked. 1: the length as it is, as DCTCP and DCQCN take it;"
                                + " 0.002: RED's average.")
                double weight,
        @Key(min = "0", max = "7")
                @Says("The priorities whose frames are marked.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {
    private static final int KMAX_TO_KMIN = 4;

    public RedConfig {
        priorities = List.copyOf(priorities);
    }

    static long kmaxBytes(Known known) {
        return KMAX_TO_KMIN * known.number("kmin");
    }

    static List<Integer> priorities(Known known) {
        return MarkingKeys.allPriorities();
    }

    @Override
    public void check(Known known, Place place) {
        MarkingKeys.checkThresholds(kminBytes, kmaxBytes, place);
    }
}
