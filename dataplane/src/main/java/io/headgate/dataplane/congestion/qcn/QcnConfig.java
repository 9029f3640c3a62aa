package io.headgate.dataplane.congestion.qcn;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.SwitchConfig;
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
import java.util.stream.IntStream;

/** Configuration of QCN's sampling and feedback at a port; see {@link QcnPoint}. */
@Named(
        says =
                "Samples arriving frames, and sends congestion notification messages to their"
                        + " sources with the queue's distance from its set point (QCN, IEEE"
                        + " 802.1Qau); bridges only.")
public record QcnConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "33kB")
                @Says("Qeq: the set point, the target length of queues.")
                long setPointBytes,
        @Key(name = "w", min = "0.1", max = "100", absent = "2")
                @Says(
                        "w: weight of the queue's growth since the previous sample in the"
                                + " feedback.")
                double weight,
        @Key(quantity = SIZE, min = "2kB", max = "1GB", absent = "150kB")
                @Says(
                        "Average number of bytes between two sampled frames; an eighth of it while"
                                + " the feedback is large.")
                long sampleBytes,
        @Key(min = "0", max = "7")
                @Says("The priorities whose queues are watched.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all but 6, which congestion notification messages use")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {
    private static final int NOTICES = 6;
    private static final int ALL = 8;

    public QcnConfig {
        priorities = List.copyOf(priorities);
    }

    static List<Integer> priorities(Known known) {
        return IntStream.range(0, ALL).filter(priority -> priority != NOTICES).boxed().toList();
    }

    @Override
    public void check(Known known, Place place) {
        if (known.isDeclared("mode")
                && known.get("mode", SwitchConfig.Mode.class) != SwitchConfig.Mode.BRIDGE) {
            place.refuse(
                    "a port of a router",
                    "mode: bridge; after a router, a frame's source MAC address is not the address"
                            + " of its sender");
        }
    }
}
