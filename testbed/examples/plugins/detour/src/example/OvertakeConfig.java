package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** Whose frames overtake. */
@Named(value = "overtake", says = "Lets frames of one DSCP leave ahead of the queues.")
public record OvertakeConfig(
        @Key(min = "0", max = "63", absent = "46")
                @Says("Frames of this DSCP leave ahead of all that waits.")
                int dscp) {}
