package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/**
 * Target time that the queue behind a frame may occupy the link, and how often a frame's source is
 * notified.
 */
@Named(
        value = "delay-marking",
        says = "Marks frames while the queue behind them takes the link longer than a target.")
public record DelayMarkingConfig(
        @Key(quantity = Quantity.DURATION, min = "1us", max = "100ms", absent = "50us")
                @Says("Frames are marked while the queue behind them takes the link longer.")
                long targetNs,
        @Key(min = "0", max = "7", absent = "0") @Says("The priority that is watched.")
                int priority,
        @Key(quantity = Quantity.DURATION, min = "0ns", max = "100ms", absent = "0ns")
                @Says("So often the source of a marked frame is sent a notice. 0ns: never.")
                long noticeNs) {}
