package io.headgate.dataplane.congestion.pi;

import static io.headgate.config.key.Quantity.DURATION;
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
import io.headgate.dataplane.congestion.MarkingKeys;
import java.util.List;

/**
 * Configuration of the PI controller's marking at a port; see {@link PiDetector}.
 *
 * @param referenceBytes qref
 */
@Named(
        says =
                "Marks frames of ECN-capable transports at random, with the probability of a"
                        + " proportional-integral controller that keeps queues at a reference"
                        + " length (DCQCN+PI, \"ECN or Delay\", CoNEXT 2016).")
public record PiConfig(
        @Key(absent = "published")
                @Says(
                        "Whether the probability is a sum over all samples, as published by Zhu et"
                                + " al. (CoNEXT 2016), or is computed from the last two samples"
                                + " only, as in Menikkumbura's dissertation (2022), chapter 3.")
                Form form,
        @Key(quantity = SIZE, min = "1kB", max = "1GB", example = "100kB")
                @Says("Reference length of queues.")
                @Otherwise("100kB; dissertation: 124800B, 200 units of 624 B")
                long referenceBytes,
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "10us")
                @Says("Sampling interval of a queue.")
                long everyNs,
        @Key(name = "a", min = "0.00000001", max = "1", example = "0.0001")
                @Says("Increase of the probability per kB of the queue above the reference.")
                @Otherwise(
                        "0.0001002, our choice for links of 40 to 100 Gb/s, because the paper gives"
                                + " no value; dissertation: 0.0088141, 5.5 thousandths per unit")
                double perKb,
        @Key(name = "b", min = "0", max = "1", example = "0.0001")
                @Says(
                        "Decrease of the probability per kB above the reference at the previous"
                                + " sample.")
                @Otherwise("0.0001; dissertation: 0.0080128, 5 thousandths per unit")
                double perKbBefore,
        @Key(min = "0.001", max = "1", example = "0.5")
                @Says("The largest probability.")
                @Otherwise("1; dissertation: 0.5")
                double most,
        @Key(quantity = SIZE, min = "0B", max = "1GB", example = "250kB")
                @Says("Above this length, the largest probability applies. 0B: no such length.")
                @Otherwise("0B; dissertation: 249600B, 400 units")
                long fullBytes,
        @Key(min = "0", max = "7")
                @Says("The priorities whose frames are marked.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {

    /** Published forms of the controller. */
    public enum Form {
        PUBLISHED,
        DISSERTATION
    }

    /** The dissertation's units, in bytes. */
    private static final double UNIT = 624;

    private static final double KB = 1_000;

    public PiConfig {
        priorities = List.copyOf(priorities);
    }

    private static boolean isPublished(Known known) {
        return known.get("form", Form.class) == Form.PUBLISHED;
    }

    static long referenceBytes(Known known) {
        return isPublished(known) ? 100_000 : (long) (200 * UNIT);
    }

    static double perKb(Known known) {
        return isPublished(known) ? 0.0001002 : (0.5 + 5) / 1_000 * KB / UNIT;
    }

    static double perKbBefore(Known known) {
        return isPublished(known) ? 0.0001 : 5.0 / 1_000 * KB / UNIT;
    }

    static double most(Known known) {
        return isPublished(known) ? 1 : 0.5;
    }

    static long fullBytes(Known known) {
        return isPublished(known) ? 0 : (long) (400 * UNIT);
    }

    static List<Integer> priorities(Known known) {
        return MarkingKeys.allPriorities();
    }

    @Override
    public void check(Known known, Place place) {
        if (perKb <= perKbBefore) {
            place.child("a")
                    .refuse(
                            String.valueOf(perKb),
                            "more than b, which is "
                                    + perKbBefore
                                    + "; otherwise queues do not stay at the reference");
        }
    }
}
