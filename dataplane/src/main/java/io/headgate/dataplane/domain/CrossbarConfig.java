package io.headgate.dataplane.domain;

import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** Configuration of a {@link Crossbar}: its input queues and its speedup. */
@Named(
        says =
                "Frames wait at their input ports (virtual output queues). At a time, each input"
                        + " sends one frame and each egress receives one; an egress serves the"
                        + " inputs round robin.")
public record CrossbarConfig(
        @Key(absent = "virtual-output")
                @Says(
                        "The queues of a priority at each input. virtual-output: one queue per"
                                + " egress port, so that no frame waits for a frame to another"
                                + " port. fifo: one queue, whose first frame blocks all frames"
                                + " behind it (head-of-line blocking).")
                @Fixed(LAID_OUT)
                InputQueues inputQueues,
        @Key(min = "1", max = "16", absent = "1")
                @Says(
                        "Speed of an input into the crossbar, as a multiple of its port's rate;"
                                + " frames are sent one after another.")
                @Fixed(LAID_OUT)
                int speedup) {
    static final String LAID_OUT = "the crossbar is laid out at the start";

    /** Queues of one priority at an input. */
    public enum InputQueues {
        VIRTUAL_OUTPUT,
        FIFO
    }
}
