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
                        + " their queue, with a random choice between two lengths (RFC 3168; as in"
                        + " DCTCP and DCQCN).")
public record RedConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "100kB")
                @Says("Up to this length of its queue no frame is marked.")
                long kminBytes,
        @Key(quantity = SIZE, min = "1kB", max = "1GB")
                @Says("From this length of its queue on every frame is marked.")
                @Otherwise("four times kmin")
                long kmaxBytes,
        @Key(min = "0", max = "1", absent = "0.1", example = "0.01")
                @Says("Marking probability just below kmax; it grows linearly from kmin to kmax.")
                double pmax,
        @Key(min = "0.0001", max = "1", absent = "1", example = "0.002")
                @Says(
                        "Weight of the current queue length in the average that decides about"
                                + " marking. 1: the current length, as in DCTCP and DCQCN; 0.002:"
                                + " RED's average.")
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
