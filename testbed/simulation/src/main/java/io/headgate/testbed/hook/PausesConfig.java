package io.headgate.testbed.hook;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;
import java.util.List;

/** The pause frames that a host's card sends at given times, needed or not. */
@Named(says = "Sends pauses at given times, independent of buffers: a generator for tests.")
public record PausesConfig(
        @Key
                @Says("Trains of pauses, which may overlap.")
                @Allowed("a list, such as [{priorities: [3], quanta: 65535, every: 1ms}]")
                @Fixed("their times are relative to the start of the card's clock")
                @Items(max = 1000, each = "a mapping, such as {priorities: [3], every: 1ms}")
                List<Train> trains) {

    /** The kind of pause frame in a train. */
    public enum Kind {
        /** Priority-based flow control. */
        PFC,
        /** For the whole link, IEEE 802.3x. */
        PAUSE
    }

    /**
     * Equal frames at equal distances.
     *
     * @param startNs after the card's clock began, which is when the run did
     */
    public record Train(
            @Key(absent = "pfc") @Says("pfc, or pause for the whole link.") Kind kind,
            @Key(min = "0", max = "7")
                    @Says("Priorities that are paused for the given quanta; all others get 0.")
                    @Allowed("a list of priorities, such as [3, 4]")
                    @Items(max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                    List<Integer> priorities,
            @Key(min = "0", max = "65535", absent = "255")
                    @Says(
                            "The whole priority-enable vector of the frame, including its reserved"
                                    + " byte.")
                    int vector,
            @Key(unit = "quanta", min = "0", max = "65535", absent = "65535")
                    @Says("Length of each pause, in 512 bit times; 0 resumes.")
                    int quanta,
            @Key(quantity = DURATION, min = "1ns", max = "1000s", absent = "1ms")
                    @Says("Interval of the pauses.")
                    long everyNs,
            @Key(min = "1", max = "1000000000", absent = "1000000000")
                    @Says("Maximum number of pauses.")
                    int times,
            @Key(quantity = DURATION, min = "0s", max = "1000s", absent = "0s")
                    @Says("Time of the first pause.")
                    long startNs,
            @Key(quantity = DURATION, min = "0s", max = "1000s", absent = "1000s")
                    @Says("No pause is sent from this time on.")
                    long stopNs,
            @Key(min = "-1", max = "281474976710655", absent = "-1")
                    @Says("The source MAC address as a number; -1: the port's own.")
                    long source) {}
}
