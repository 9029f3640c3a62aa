package io.headgate.config;

import org.jspecify.annotations.Nullable;

/**
 * How a port keeps its lossless priorities lossless. Both ends of a link must use the same mode.
 *
 * @param mode the protocol on the link
 * @param link what the link and both its ends take to react
 * @param buffers thresholds of each lossless priority; null in modes {@code credits} and {@code
 *     none}
 * @param pause how pauses are asked for; null but in modes {@code pfc} and {@code pause}
 * @param credits null but in mode {@code credits}
 * @param watchdog null where no watchdog looks for pause storms
 */
public record FlowControlConfig(
        Mode mode,
        Link link,
        @Nullable Buffers buffers,
        @Nullable Pause pause,
        @Nullable Credits credits,
        @Nullable Watchdog watchdog) {

    /** No flow control: every priority is lossy. */
    public static final FlowControlConfig NONE =
            new FlowControlConfig(Mode.NONE, Link.DEFAULT, null, null, null, null);

    /**
     * The same where all rates are divided by a factor: times are longer by it, bytes and quanta
     * stay.
     */
    public FlowControlConfig scaled(int factor) {
        return new FlowControlConfig(
                mode,
                new Link(
                        link.delayNs() * factor,
                        link.ownReactionNs() * factor,
                        link.peerReactionNs() * factor),
                buffers,
                pause == null ? null : new Pause(pause.quanta(), pause.refreshNs() * factor),
                credits == null ? null : credits.scaled(factor),
                watchdog == null ? null : watchdog.scaled(factor));
    }

    /** The protocol by which a receiver holds its sender back. */
    public enum Mode {
        NONE,
        /** Priority-based flow control: pauses for each priority (IEEE 802.1Qbb). */
        PFC,
        /** Pauses for all of the link (IEEE 802.3 Annex 31B). */
        PAUSE,
        /** Credits for each lossless priority, as InfiniBand has them (IBTA volume 1, 7.9). */
        CREDITS
    }

    /**
     * What passes between a threshold being crossed and the sender falling silent.
     *
     * @param delayNs one way, in ns
     * @param ownReactionNs from a frame's arrival here until what it causes leaves, in ns
     * @param peerReactionNs from a pause's arrival there until no frame starts, in ns
     */
    public record Link(long delayNs, long ownReactionNs, long peerReactionNs) {
        public static final Link DEFAULT = new Link(1_000, 200_000, 200_000);
    }

    /**
     * Thresholds of each lossless priority, in bytes and in slots; each holds by itself. With
     * {@code alphaExponent} the thresholds are dynamic: a priority is paused when it holds more of
     * the shared pool than 2<sup>alphaExponent</sup> times what is left of it, and xoff is not
     * used.
     *
     * @param xoffBytes a pause is asked for when this much is held
     * @param xonBytes it is ended when no more than this is held; with dynamic thresholds, when
     *     this much less than the threshold is held
     * @param headroomBytes what may still arrive after the pause was asked for
     * @param alphaExponent −7 to 3; null for static thresholds
     * @param reservedBytes what a lossless priority may hold before it draws on the pool; 0 with
     *     static thresholds
     * @param sharedBytes the pool, outside of headroom and reserved; 0 with static thresholds
     */
    public record Buffers(
            long xoffBytes,
            int xoffSlots,
            long xonBytes,
            int xonSlots,
            long headroomBytes,
            int headroomSlots,
            @Nullable Integer alphaExponent,
            long reservedBytes,
            int reservedSlots,
            long sharedBytes,
            int sharedSlots) {

        /** Static thresholds. */
        public static Buffers fixed(
                long xoffBytes,
                int xoffSlots,
                long xonBytes,
                int xonSlots,
                long headroomBytes,
                int headroomSlots) {
            return new Buffers(
                    xoffBytes,
                    xoffSlots,
                    xonBytes,
                    xonSlots,
                    headroomBytes,
                    headroomSlots,
                    null,
                    0,
                    0,
                    0,
                    0);
        }

        public boolean isDynamic() {
            return alphaExponent != null;
        }

        /** Slots that each lossless priority has for itself. */
        public int promisedSlots() {
            return headroomSlots + (isDynamic() ? reservedSlots : xoffSlots);
        }
    }

    /**
     * How pauses are asked for.
     *
     * @param quanta length of a pause, 1 to 65,535 quanta of 512 bit times at the port's rate
     * @param refreshNs a pause that is still needed is asked for again after this long, in ns;
     *     shorter than the pause
     */
    public record Pause(int quanta, long refreshNs) {}

    /**
     * Credits for each lossless priority.
     *
     * @param periodNs with {@code PERIODIC} the time from update to update; with {@code ON_CHANGE}
     *     the longest time without one
     * @param minGapNs with {@code ON_CHANGE} the shortest time from update to update
     * @param blockScale a block is 64 × 2<sup>blockScale</sup> bytes, 0 to 7; the smaller of both
     *     ends' counts
     * @param bufferBytes what one lossless priority may hold
     * @param bufferSlots the same in slots
     */
    public record Credits(
            Update update,
            long periodNs,
            long minGapNs,
            int blockScale,
            long bufferBytes,
            int bufferSlots) {

        /** When updates are sent. */
        public enum Update {
            PERIODIC,
            ON_CHANGE
        }

        public int blockBytes() {
            return 64 << blockScale;
        }

        Credits scaled(int factor) {
            return new Credits(
                    update,
                    periodNs * factor,
                    minGapNs * factor,
                    blockScale,
                    bufferBytes,
                    bufferSlots);
        }
    }

    /**
     * Looks for priorities that stay paused without end, in the way and with the words of SONiC's
     * PFC watchdog.
     *
     * @param detectionNs paused this long with frames waiting is a storm
     * @param restorationNs without a pause this long the storm is over
     * @param pollNs time from look to look, at most the shorter of both
     */
    public record Watchdog(Action action, long detectionNs, long restorationNs, long pollNs) {

        /** What happens to a priority in a storm. */
        public enum Action {
            /** It is reported. */
            ALERT,
            /** Its pauses are ignored. */
            FORWARD,
            /** Its frames are dropped. */
            DROP
        }

        Watchdog scaled(int factor) {
            return new Watchdog(
                    action, detectionNs * factor, restorationNs * factor, pollNs * factor);
        }
    }
}
