package io.headgate.dataplane.domain;

import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;
import io.headgate.config.key.When;
import io.headgate.dataplane.congestion.Mark;

/**
 * Configuration of an {@link InputBuffered} switch: the choice of packets, and the marking scheme.
 */
@Named(
        says =
                "Packets wait in buffers at their input ports, each as large as the credits that it"
                        + " grants. Each output takes the oldest packet from an input that no other"
                        + " output is reading (Santos, Turner and Janakiraman, GLOBECOM 2002).")
public record InputBufferedConfig(
        @Key(unit = "packets", min = "0", max = "1024", absent = "4")
                @Says(
                        "Maximum number of older packets of its input that a packet can overtake"
                                + " while their outputs are busy; 0: none.")
                @Fixed(LAID_OUT)
                int bypass,
        @Key(absent = "none")
                @Says(
                        "Which packets are marked. naive: the packets in an input's buffer when it"
                                + " becomes full. input-triggered: then, for each output that a"
                                + " packet in the full buffer waits for, as many packets as the"
                                + " switch holds for this output. input-output-triggered: also when"
                                + " the switch holds threshold packets for one output.")
                @Fixed(LAID_OUT)
                Marking marking,
        @Key(unit = "packets", min = "1", max = "1024", absent = "8")
                @Says("Number of packets for one output from which on they are marked.")
                @Fixed(LAID_OUT)
                @When(
                        key = "marking",
                        is = {"input-output-triggered"})
                int threshold,
        @Key(name = "mark", absent = "ecn")
                @Says(
                        "Where marks are written: in the IP header (ecn), in RoCEv2's base"
                                + " transport header (bth), or in both.")
                @Fixed(LAID_OUT)
                @When(
                        key = "marking",
                        is = {"naive", "input-triggered", "input-output-triggered"})
                Mark.Field field) {
    static final String LAID_OUT = "the switch's inputs are laid out at the start";

    /** Marking schemes of Santos et al., sections IV.A to IV.C. */
    public enum Marking {
        NONE,
        NAIVE,
        INPUT_TRIGGERED,
        INPUT_OUTPUT_TRIGGERED
    }
}
