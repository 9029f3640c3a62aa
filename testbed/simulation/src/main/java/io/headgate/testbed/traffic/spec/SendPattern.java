package io.headgate.testbed.traffic.spec;

import io.headgate.config.Mechanisms;
import io.headgate.hostagent.rate.RateControls;

/**
 * The pattern by which a flow's frames are due. Rates are wire rates: a frame counts with preamble,
 * FCS and inter-frame gap, as on the run's links, so that a flow at a link's rate exactly fills it.
 */
public sealed interface SendPattern {

    /** What becomes of frames that could not be sent when they were due. */
    enum Lateness {
        /**
         * They are sent as soon as possible: the application produces independently of the network.
         */
        MADE_UP,
        /**
         * They are never sent: the rate is a limit, counted on from when a frame is sent. On real
         * frames this holds for what a card refused; frames that only a busy machine delayed are
         * sent, as many as one batch has room for.
         */
        FORGONE
    }

    /** The next frame is always due, as soon as the network card takes it. */
    record Greedy() implements SendPattern {}

    /**
     * Frames at a constant rate, exact to the picosecond, with the remainder carried over.
     *
     * @param rateBps bits a second on the wire, 1 kb/s to 1 Tb/s
     */
    record ConstantRate(long rateBps, Lateness lateness) implements SendPattern {
        /**
         * @throws IllegalArgumentException if the rate is out of its range
         */
        public ConstantRate {
            requireRate(rateBps);
        }
    }

    /**
     * Frames at a rate while on, none while off, alternately.
     *
     * @param rateBps bits a second on the wire while on, 1 kb/s to 1 Tb/s
     * @param onPs how long it is on, in ps, at least 1: exactly, or in the mean
     * @param offPs how long it is off, in ps, at least 1: exactly, or in the mean
     * @param random whether both are exponentially distributed, each one drawn independently
     */
    record OnOff(long rateBps, long onPs, long offPs, boolean random, Lateness lateness)
            implements SendPattern {
        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public OnOff {
            requireRate(rateBps);
            if (onPs < 1 || offPs < 1) {
                throw new IllegalArgumentException(
                        "on for "
                                + onPs
                                + " ps, off for "
                                + offPs
                                + " ps; both must be at least 1");
            }
        }
    }

    /**
     * Single frames at exponentially distributed intervals, with a new length drawn for each.
     * Frames that find the network card full wait in the application, without a bound.
     *
     * @param meanIntervalPs mean time between two, in ps, at least 1
     * @param frameBytes their lengths without FCS; shorter ones than the shape allows are
     *     lengthened
     */
    record PoissonFrames(double meanIntervalPs, SizeDistribution frameBytes)
            implements SendPattern {
        /**
         * @throws IllegalArgumentException if the interval is out of its range, or a frame could be
         *     longer than 16,000 bytes
         */
        public PoissonFrames {
            if (!(meanIntervalPs >= 1 && meanIntervalPs <= 1e18)
                    || frameBytes.maxBytes() > 16_000) {
                throw new IllegalArgumentException(
                        "frames of up to "
                                + frameBytes.maxBytes()
                                + " B (allowed: 16000) every "
                                + meanIntervalPs
                                + " ps (1 to 10^18)");
            }
        }
    }

    /**
     * The next frame is due as soon as a rate control allows it; the control also limits the frames
     * in flight of a flow with acknowledgements.
     *
     * @param control with its configuration
     * @param demandBps maximum rate of the application in bits per second on the wire, 1 kb/s to 1
     *     Tb/s
     */
    record Controlled(Mechanisms.Use control, long demandBps) implements SendPattern {
        private static final long GREEDY_BPS = 1_000_000_000_000L;

        /**
         * @throws IllegalArgumentException if the demand is out of its range
         */
        public Controlled {
            requireRate(demandBps);
        }

        /** For an application that sends as fast as it may. */
        public Controlled(Mechanisms.Use control) {
            this(control, GREEDY_BPS);
        }

        /** The pattern in a run that is slower by a factor. */
        public Controlled scaled(int factor) {
            return new Controlled(
                    control.scaled(factor),
                    demandBps == GREEDY_BPS ? GREEDY_BPS : demandBps / factor);
        }

        /** The rate control that the flow's hosts use. */
        public RateControls<?> controls() {
            return RateControls.of(control);
        }

        /** Whether the control uses marks. */
        public boolean needsMarks() {
            return controls().mechanism().needsMarks();
        }

        /** Whether the control uses acknowledgements and their marks. */
        public boolean needsEcho() {
            return controls().mechanism().needsEcho();
        }
    }

    private static void requireRate(long rateBps) {
        if (rateBps < 1_000 || rateBps > 1_000_000_000_000L) {
            throw new IllegalArgumentException(
                    "rate " + rateBps + " b/s; allowed are 1 kb/s to 1 Tb/s");
        }
    }
}
