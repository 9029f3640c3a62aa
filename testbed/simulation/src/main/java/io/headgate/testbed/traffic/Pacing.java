package io.headgate.testbed.traffic;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.testbed.traffic.spec.SendPattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the frames of one flow are due, and keeps the state for this. A greedy flow has no
 * pacing.
 */
abstract sealed class Pacing {
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long PS_PER_NS = 1000;

    /** When the first frame of a flow that begins at a time is due, in ps. */
    long firstDuePs(long startPs) {
        return startPs;
    }

    /**
     * When the frame after one is due, in ps.
     *
     * @param duePs when the previous frame was due
     * @param sentPs when it was sent; may be up to a nanosecond before it was due
     * @param wireBytes bytes that it took on the wire
     */
    abstract long nextDuePs(long duePs, long sentPs, int wireBytes);

    /**
     * The time stamp of a frame, from the time at which it was due and the time at which it is
     * sent.
     */
    long timePs(long duePs, long sentPs) {
        return duePs;
    }

    /** Length of the frame that is due, {@code shapeBytes} if the pattern does not define it. */
    int frameBytes(int shapeBytes) {
        return shapeBytes;
    }

    /**
     * Creates the pacing of a pattern; null for a greedy one.
     *
     * @param owner the name of its random generator
     */
    static @Nullable Pacing of(SendPattern pattern, long seed, String owner) {
        return switch (pattern) {
            case SendPattern.Greedy greedy -> null;
            case SendPattern.ConstantRate rate -> new AtRate(rate.rateBps(), rate.lateness());
            case SendPattern.OnOff onOff -> new InBursts(onOff, seed, owner);
            case SendPattern.PoissonFrames frames -> new AtRandom(frames, seed, owner);
            case SendPattern.Controlled controlled -> new Controlled(controlled);
        };
    }

    private static long wholePs(double ps) {
        return (long) Math.floor(ps + 0.5);
    }

    /**
     * A constant rate: each frame takes its wire time, with the division's remainder carried over.
     */
    static final class AtRate extends Pacing {
        private long rateBps;
        private final boolean madeUp;
        private long remainder;

        AtRate(long rateBps, SendPattern.Lateness lateness) {
            this.rateBps = rateBps;
            this.madeUp = lateness == SendPattern.Lateness.MADE_UP;
        }

        @Override
        long nextDuePs(long duePs, long sentPs, int wireBytes) {
            long fromPs = duePs;
            if (!madeUp && sentPs > duePs) {
                fromPs = sentPs;
                remainder = 0;
            }
            long numerator = wireBytes * 8L * PS_PER_S + remainder;
            long ps = numerator / rateBps;
            remainder = numerator - ps * rateBps;
            return fromPs + ps;
        }

        @Override
        long timePs(long duePs, long sentPs) {
            return madeUp ? duePs : Math.max(duePs, sentPs);
        }

        /**
         * Sets the rate from the next frame on; the remainder is kept while the rate stays the
         * same.
         */
        void rateBps(long bps) {
            if (bps != rateBps) {
                rateBps = bps;
                remainder = 0;
            }
        }

        void forgetRemainder() {
            remainder = 0;
        }
    }

    /** At a rate while it is on. */
    static final class InBursts extends Pacing {
        private final SendPattern.OnOff pattern;
        private final AtRate rate;
        private final NamedRandom onTimes;
        private final NamedRandom offTimes;
        private long onEndPs;

        InBursts(SendPattern.OnOff pattern, long seed, String owner) {
            this.pattern = pattern;
            this.rate = new AtRate(pattern.rateBps(), pattern.lateness());
            this.onTimes = NamedRandom.of(seed, owner, "on");
            this.offTimes = NamedRandom.of(seed, owner, "off");
        }

        @Override
        long firstDuePs(long startPs) {
            onEndPs = startPs + length(onTimes, pattern.onPs());
            return startPs;
        }

        @Override
        long nextDuePs(long duePs, long sentPs, int wireBytes) {
            long nextPs = rate.nextDuePs(duePs, sentPs, wireBytes);
            while (nextPs >= onEndPs) {
                long onPs = onEndPs + length(offTimes, pattern.offPs());
                onEndPs = onPs + length(onTimes, pattern.onPs());
                if (nextPs < onPs) {
                    nextPs = onPs;
                    rate.forgetRemainder();
                }
            }
            return nextPs;
        }

        @Override
        long timePs(long duePs, long sentPs) {
            return rate.timePs(duePs, sentPs);
        }

        private long length(NamedRandom random, long meanPs) {
            return pattern.random()
                    ? Math.max(1, wholePs(random.nextExponential((double) meanPs)))
                    : meanPs;
        }
    }

    /**
     * The lower of the rates that a rate control allows and the application wants, counted from
     * when a frame is sent.
     */
    static final class Controlled extends Pacing {
        /** The rate control of the flow. */
        final RateControl control;

        /**
         * The notification point at the flow's receiver; {@code readsFecn}: whether FECN counts as
         * a mark.
         */
        final NotificationPoint echo;

        final boolean readsFecn;

        /**
         * Period in which a congestion point sends one notice about the flow; 0: the flow takes no
         * notices.
         */
        final long noticePeriodNs;

        /** A reliable connection asks for an acknowledgement once per this number of packets. */
        final int ackEvery;

        /** How the flow's receiver reports packets' path; null: it does not. */
        final @Nullable HopEcho hopEcho;

        private final long demandBps;
        private final AtRate rate = new AtRate(Long.MAX_VALUE, SendPattern.Lateness.FORGONE);
        // About the last frame sent.
        private long lastPs;
        private int lastWireBytes;

        Controlled(SendPattern.Controlled pattern) {
            RateControls<?> controls = pattern.controls();
            this.demandBps = pattern.demandBps();
            this.control = controls.control();
            this.echo = controls.notificationPoint();
            this.noticePeriodNs = controls.noticePeriodNs();
            this.ackEvery = controls.ackEvery();
            this.hopEcho = controls.hopEcho();
            this.readsFecn = controls.mechanism().readsFecn();
        }

        @Override
        long nextDuePs(long duePs, long sentPs, int wireBytes) {
            control.sent(sentPs / PS_PER_NS, wireBytes);
            lastPs = sentPs;
            lastWireBytes = wireBytes;
            rate.rateBps(Math.min(control.rateBps(), demandBps));
            return rate.nextDuePs(duePs, sentPs, wireBytes);
        }

        /**
         * The new due time of the waiting frame after an acknowledgement.
         *
         * @param duePs when it was due before
         */
        long nextDuePs(long duePs) {
            if (lastWireBytes == 0 || !control.holdsForWaiting()) {
                return duePs;
            }
            rate.forgetRemainder();
            rate.rateBps(Math.min(control.rateBps(), demandBps));
            return rate.nextDuePs(lastPs, lastPs, lastWireBytes);
        }

        @Override
        long timePs(long duePs, long sentPs) {
            return rate.timePs(duePs, sentPs);
        }
    }

    /** At exponentially distributed intervals, with a new length drawn for each frame. */
    static final class AtRandom extends Pacing {
        private final SendPattern.PoissonFrames pattern;
        private final NamedRandom intervals;
        private final NamedRandom lengths;
        private int frameBytes;

        AtRandom(SendPattern.PoissonFrames pattern, long seed, String owner) {
            this.pattern = pattern;
            this.intervals = NamedRandom.of(seed, owner, "intervals");
            this.lengths = NamedRandom.of(seed, owner, "lengths");
        }

        @Override
        long firstDuePs(long startPs) {
            return nextDuePs(startPs, startPs, 0);
        }

        @Override
        long nextDuePs(long duePs, long sentPs, int wireBytes) {
            frameBytes = (int) pattern.frameBytes().sampleBytes(lengths);
            return duePs + wholePs(intervals.nextExponential(pattern.meanIntervalPs()));
        }

        @Override
        int frameBytes(int shapeBytes) {
            return frameBytes;
        }
    }
}
