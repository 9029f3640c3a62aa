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
                "Samples frames that arrive, and tells their sources by congestion notification"
                        + " messages how far the queue is above its set point (QCN, IEEE 802.1Qau);"
                        + " bridges only.")
public record QcnConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "33kB")
                @Says("Qeq: the length at which queues are held.")
                long setPointBytes,
        @Key(name = "w", min = "0.1", max = "100", absent = "2")
                @Says(
                        "w: how much a queue's growth since the sample before counts in the feedback.")
                double weight,
        @Key(quantity = SIZE, min = "2kB", max = "1GB", absent = "150kB")
                @Says(
                        "The bytes that arrive from one sampled frame to the next, about; an eighth of them"
                                + " while the feedback is large.")
                long sampleBytes,
        @Key(min = "0", max = "7")
                @Says("The priorities whose queues are watched.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all but 6, which congestion notification messages have")
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
                    "mode: bridge; behind a router no MAC address is that of a frame's source");
        }
    }
}
