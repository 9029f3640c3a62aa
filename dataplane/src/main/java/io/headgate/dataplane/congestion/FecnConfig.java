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

/** Configuration of InfiniBand's FECN marking at a port; see {@link FecnDetector}. */
@Named(
        says =
                "Marks frames of long queues that have credits left, like InfiniBand switches; only"
                        + " with credits.")
public record FecnConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "100kB")
                @Says(
                        "A queue longer than this makes its port the root of congestion, or a victim.")
                long thresholdBytes,
        @Key(absent = "false")
                @Says(
                        "Whether frames of victims are also marked: frames of long queues without"
                                + " credits for their next frame.")
                boolean victimMask,
        @Key(name = "mark", absent = "both")
                @Says(
                        "Where marks are written: in the IP header (ecn), in RoCEv2's base"
                                + " transport header (bth), or in both.")
                Mark.Field field,
        @Key(min = "0", max = "7")
                @Says("The priorities whose frames are marked.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {

    public FecnConfig {
        priorities = List.copyOf(priorities);
    }

    static List<Integer> priorities(Known known) {
        return MarkingKeys.allPriorities();
    }

    @Override
    public void check(Known known, Place place) {
        if (!known.has("credits")) {
            place.refuse(
                    "a port without credits",
                    "flow-control: credits, because this rule distinguishes congestion from a"
                            + " stopped queue by the remaining credits; tcd does the same with"
                            + " pauses");
        }
    }
}
