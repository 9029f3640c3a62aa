package io.headgate.dataplane.congestion.pcn;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.dataplane.congestion.MarkingKeys;
import java.util.List;

/** Configuration of PCN's marking at a port; see {@link PcnDetector}. */
@Named(
        says =
                "Marks frames of queues over a threshold, except frames that waited while the queue"
                        + " was paused (NP-ECN of PCN, NSDI 2020).")
public record PcnConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "10kB")
                @Says(
                        "A frame is marked if more than this waits behind it, unless a pause has"
                                + " delayed it.")
                long thresholdBytes,
        @Key(min = "0", max = "7")
                @Says("The priorities whose frames are marked.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities) {

    public PcnConfig {
        priorities = List.copyOf(priorities);
    }

    static List<Integer> priorities(Known known) {
        return MarkingKeys.allPriorities();
    }
}
