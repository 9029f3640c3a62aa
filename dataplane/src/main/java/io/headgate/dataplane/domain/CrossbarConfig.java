package io.headgate.dataplane.domain;

import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** Configuration of a {@link Crossbar}: its input queues and its speedup. */
@Named(
        says =
                "Frames wait at their input ports and cross one at a time for each input and each"
                        + " egress, which serves the inputs in turn (virtual output queues, round robin).")
public record CrossbarConfig(
        @Key(absent = "virtual-output")
                @Says(
                        "How frames of a priority wait at each input. virtual-output: in a queue per"
                                + " egress port, so that none waits for a frame to another port."
                                + " fifo: in one queue, whose first frame holds up all behind it"
                                + " (head-of-line blocking).")
                @Fixed(LAID_OUT)
                InputQueues inputQueues,
        @Key(min = "1", max = "16", absent = "1")
                @Says(
                        "How many times as fast as its port each input sends into the crossbar, one"
                                + " frame after another.")
                @Fixed(LAID_OUT)
                int speedup) {
    static final String LAID_OUT = "the crossbar is laid out at the start";

    /** Queues of one priority at an input. */
    public enum InputQueues {
        VIRTUAL_OUTPUT,
        FIFO
    }
}
