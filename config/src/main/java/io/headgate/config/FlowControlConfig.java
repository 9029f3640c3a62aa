package io.headgate.config;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Permanent;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;
import io.headgate.config.key.Section;
import io.headgate.config.key.When;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The flow control of a port, which keeps its lossless priorities lossless. Both ends of a link
 * must use the same mode.
 *
 * @param buffers null in modes {@code credits} and {@code none}
 * @param pause null except in modes {@code pfc} and {@code pause}
 * @param credits null except in mode {@code credits}
 * @param watchdog null if no watchdog looks for pause storms
 */
@Withers
public record FlowControlConfig(
        @Key(name = "flow-control", absent = "none")
                @Says(
                        "The flow control that keeps lossless priorities lossless: pauses per"
                                + " priority (pfc, IEEE 802.1Qbb), pauses of the whole link (pause,"
                                + " IEEE 802.3x), or credits per priority as in InfiniBand"
                                + " (credits). It must be the same at both ends of a link.")
                @Fixed("both ends of a link must have the same value at every moment")
                Mode mode,
        @Key
                @Says(
                        "The times that pass until a sender that must stop has stopped. The"
                                + " headroom is computed from them.")
                @Allowed(
                        "a mapping, such as {delay: 5us, own-reaction: 200us, peer-reaction:"
                                + " 200us}")
                @Fixed(
                        "the headroom is computed from it at the start; change buffers.headroom"
                                + " instead")
                @When(
                        key = "flow-control",
                        is = {"pfc", "pause", "credits"})
                Link link,
        @Key
                @Says("Pause thresholds per lossless priority, with pfc and pause.")
                @Allowed("a mapping, such as {xoff: 800kB, xon: 770kB} or {alpha: 1/8}")
                @When(
                        key = "flow-control",
                        is = {"pfc", "pause"})
                @Nullable Buffers buffers,
        @Key
                @Says("Length and repetition of pauses, with pfc and pause.")
                @Allowed("a mapping, such as {quanta: 65535, refresh: 1ms}")
                @When(
                        key = "flow-control",
                        is = {"pfc", "pause"})
                @Nullable Pause pause,
        @Key
                @Says("Credit-based flow control.")
                @Allowed("a mapping, such as {update: periodic, period: 60us, buffer: 800kB}")
                @When(
                        key = "flow-control",
                        is = {"credits"})
                @Nullable Credits credits,
        @Key
                @Says(
                        "Watchdog for lossless priorities that stay paused and do not resume, like"
                                + " SONiC's PFC watchdog. Without this key there is no watchdog.")
                @Allowed(
                        "a mapping, such as {action: drop, detection: 200ms, restoration:"
                                + " 200ms}")
                @Otherwise("no watchdog")
                @When(
                        key = "flow-control",
                        is = {"pfc", "pause", "credits"})
                @Nullable Watchdog watchdog)
        implements FlowControlConfigBuilder.With {

    /** No flow control: every priority is lossy. */
    public static final FlowControlConfig NONE =
            new FlowControlConfig(Mode.NONE, Link.DEFAULT, null, null, null, null);

    /** A protocol on a link, with the default thresholds, pauses or credits for it. */
    public static FlowControlConfig of(Mode mode, long rateBps, int mtuBytes, Link link) {
        Known known =
                Known.of(Map.of("rate", rateBps, "mtu", mtuBytes)).assuming(Map.of("link", link));
        Map<String, Object> said = Map.of("flow-control", Codecs.word(mode));
        FlowControlConfig standard =
                Section.of(FlowControlConfig.class).read(Place.nowhere().saying(said), known);
        return mode == Mode.NONE || standard == null ? NONE : standard.withLink(link);
    }

    /** Slots that each lossless priority has for itself. */
    public int promisedSlots() {
        return buffers != null
                ? buffers.promisedSlots()
                : credits != null ? credits.bufferSlots() : 0;
    }

    /** Slots of the pool that priorities share; 0 where each has its own. */
    public int sharedSlots() {
        return buffers == null ? 0 : buffers.sharedSlots();
    }

    /** The same plus the slots that a detour reserves, while the keys of a port are being read. */
    static int promisedSlots(Known known) {
        int own =
                known.has("buffers")
                        ? known.get("buffers", Buffers.class).promisedSlots()
                        : known.has("credits")
                                ? known.get("credits", Credits.class).bufferSlots()
                                : 0;
        return own + DetourNeeds.reservedSlots(known);
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

    /** The times between the crossing of a threshold and the moment when the sender stops. */
    @Withers
    public record Link(
            @Key(quantity = DURATION, min = "0ns", max = "100ms", absent = "1us", example = "200us")
                    @Says("The link's delay, one way.")
                    long delayNs,
            @Key(quantity = DURATION, min = "0ns", max = "100ms", absent = "200us")
                    @Says(
                            "Time from a frame's arrival until the pause that it causes can leave:"
                                    + " wake-up and the longest duty cycle.")
                    long ownReactionNs,
            @Key(quantity = DURATION, min = "0ns", max = "100ms", absent = "200us")
                    @Says(
                            "Time from a pause's arrival at the peer until the peer starts no"
                                    + " further frame.")
                    long peerReactionNs)
            implements FlowControlConfigLinkBuilder.With {
        public static final Link DEFAULT = Section.of(Link.class).standard(Known.NOTHING);
    }

    /**
     * Thresholds of each lossless priority, in bytes and in slots; each holds by itself. With
     * {@code alphaExponent} the thresholds are dynamic: a priority is paused when it holds more of
     * the shared pool than 2<sup>alphaExponent</sup> times what is left of it.
     *
     * @param xoffBytes 0 with dynamic thresholds, as {@code xoffSlots}
     * @param alphaExponent −7 to 3; null for static thresholds
     * @param reservedBytes 0 with static thresholds, as the three after it
     */
    @Withers
    public record Buffers(
            @Key(quantity = SIZE, min = "1kB", max = "1GB")
                    @Says("A pause is sent when the priority holds this much. Not with alpha.")
                    @Otherwise("100kB; 1MB where the device has gso: pass")
                    @When(key = "alpha", absent = true)
                    long xoffBytes,
            @Key(unit = "slots", min = "0", max = "1048576", example = "1000")
                    @Says(
                            "The same threshold in slots; the one reached first counts. Not with"
                                    + " alpha.")
                    @Otherwise("four times the slots that frames of the largest size need")
                    @When(key = "alpha", absent = true)
                    int xoffSlots,
            @Key(quantity = SIZE, min = "0B", max = "1GB")
                    @Says(
                            "The pause ends when the priority holds at most this much; with alpha,"
                                    + " when it holds this much less than the threshold.")
                    @Otherwise(
                            "xoff minus two frames of the largest size; with alpha, two frames of"
                                    + " the largest size")
                    long xonBytes,
            @Key(unit = "slots", min = "0", max = "1048576", example = "1000")
                    @Says("The same threshold in slots; the pause ends when both are met.")
                    @Otherwise("seven eighths of xoff-slots; with alpha, 2")
                    int xonSlots,
            @Key(quantity = SIZE, min = "0B", max = "1GB")
                    @Says(
                            "Room for frames that arrive after a pause was sent, in addition to all"
                                    + " thresholds.")
                    @Otherwise("computed from rate, MTU and link")
                    long headroomBytes,
            @Key(unit = "slots", min = "0", max = "1048576", example = "1000")
                    @Says("The same room in slots.")
                    @Otherwise("headroom divided by the smallest frame (84 bytes on the wire)")
                    int headroomSlots,
            @Key(name = "alpha", codec = AlphaCodec.class)
                    @Says(
                            "Makes thresholds dynamic: the part of the shared pool that a priority"
                                    + " may hold, as a multiple of the pool's free part. Also"
                                    + " applies to lossy priorities; it must let them hold a frame"
                                    + " of the largest size when the pool is empty.")
                    @Allowed("1/128, 1/64, 1/32, 1/16, 1/8, 1/4, 1/2, 1, 2, 4 or 8")
                    @Otherwise("static thresholds")
                    @Permanent("memory is divided at the start, either with a pool or without")
                    @Nullable Integer alphaExponent,
            @Key(quantity = SIZE, min = "0B", max = "1GB")
                    @Says(
                            "Memory that a lossless priority uses before it uses the pool. Only"
                                    + " with alpha.")
                    @Otherwise("reserved-slots frames of the largest size")
                    @When(key = "alpha")
                    long reservedBytes,
            @Key(unit = "slots", min = "0", max = "1048576", absent = "8", example = "1000")
                    @Says("The same size in slots. Only with alpha.")
                    @When(key = "alpha")
                    int reservedSlots,
            @Key(quantity = SIZE, min = "0B", max = "1GB")
                    @Says(
                            "Size of the pool that the port's priorities share; with memory.shared,"
                                    + " the part of it that they may hold together. Only with"
                                    + " alpha.")
                    @Otherwise("shared-slots frames of the largest size")
                    @When(key = "alpha")
                    long sharedBytes,
            @Key(unit = "slots", min = "0", max = "1048576", example = "1000")
                    @Says("The same size in slots. Only with alpha.")
                    @Otherwise(
                            "the port's slots minus headroom, reserved slots and the device's ring")
                    @When(key = "alpha")
                    int sharedSlots)
            implements FlowControlConfigBuffersBuilder.With, Checked {

        /** Minimum size of a pool, in slots and in frames of the largest size. */
        private static final int LEAST_POOL = 8;

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

        // ---- what follows from other keys

        private static int frameBytes(Known known) {
            return ConfigDefaults.maxFrameBytes(FrameGrowth.countedPayloadBytes(known));
        }

        private static Headroom needed(Known known) {
            return new Headroom(
                    known.number("rate"),
                    FrameGrowth.countedPayloadBytes(known),
                    known.get("link", Link.class));
        }

        static long xoffBytes(Known known) {
            return FrameGrowth.passesSegments(known) ? 1_000_000 : 100_000;
        }

        static int xoffSlots(Known known) {
            return ConfigDefaults.slotsFor(known.number("xoff"), known.count("mtu"));
        }

        static long xonBytes(Known known) {
            long twoFrames = 2L * frameBytes(known);
            return known.has("alpha") ? twoFrames : Math.max(0, known.number("xoff") - twoFrames);
        }

        static int xonSlots(Known known) {
            int xoffSlots = known.count("xoff-slots");
            return known.has("alpha") ? 2 : xoffSlots - Math.ceilDiv(xoffSlots, 8);
        }

        static long headroomBytes(Known known) {
            return needed(known).bytes();
        }

        static int headroomSlots(Known known) {
            return needed(known).slots();
        }

        static long reservedBytes(Known known) {
            return (long) known.count("reserved-slots") * frameBytes(known);
        }

        static int sharedSlots(Known known) {
            int lossless = known.list("lossless", Integer.class).size();
            long promised =
                    (long) lossless
                            * (known.count("headroom-slots")
                                    + known.count("reserved-slots")
                                    + DetourNeeds.reservedSlots(known));
            return Math.clamp(known.count("free-slots") - promised, 64, 1 << 20);
        }

        static long sharedBytes(Known known) {
            return (long) known.count("shared-slots") * frameBytes(known);
        }

        // ---- what must hold

        @Override
        public void check(Known known, Place place) {
            if (isDynamic()) {
                checkPool(known, place);
                return;
            }
            long twoFrames = 2L * frameBytes(known);
            if (xoffBytes < twoFrames) {
                place.child("xoff")
                        .refuse(
                                size(xoffBytes),
                                "at least two frames of the port's MTU: " + size(twoFrames));
            }
            if (xonBytes >= xoffBytes) {
                place.child("xon")
                        .refuse(size(xonBytes), "less than xoff, which is " + size(xoffBytes));
            }
            if (xoffSlots < 2) {
                place.child("xoff-slots").refuse(slots(xoffSlots), "at least 2");
            } else if (xonSlots >= xoffSlots) {
                place.child("xon-slots")
                        .refuse(slots(xonSlots), "less than xoff-slots, which is " + xoffSlots);
            }
            long mostBytes = (long) xoffSlots * frameBytes(known);
            if (xoffBytes > mostBytes && xoffSlots >= 2) {
                place.child("xoff")
                        .refuse(
                                size(xoffBytes),
                                "at most what xoff-slots (%d) can hold in frames of the port's"
                                                .formatted(xoffSlots)
                                        + " MTU, as more is never reached: "
                                        + size(mostBytes));
            }
        }

        private void checkPool(Known known, Place place) {
            int frameBytes = frameBytes(known);
            if (sharedSlots < LEAST_POOL || sharedBytes < (long) LEAST_POOL * frameBytes) {
                place.child("shared")
                        .refuse(
                                size(sharedBytes) + " and " + slots(sharedSlots),
                                "a pool of at least eight frames of the port's MTU: "
                                        + size((long) LEAST_POOL * frameBytes));
                return;
            }
            // What is reserved is for lossless priorities: the others get what alpha leaves them.
            int shift = alphaExponent == null ? 0 : Math.max(0, -alphaExponent);
            boolean anyLossy =
                    known.list("lossless", Integer.class).size() < TrafficConfig.PRIORITIES;
            if (anyLossy && (sharedBytes >> shift < frameBytes || sharedSlots >> shift < 1)) {
                place.child("alpha")
                        .refuse(
                                "1/%d of a pool of %s and %s"
                                        .formatted(
                                                1 << shift, size(sharedBytes), slots(sharedSlots)),
                                ("a share in which a lossy priority can hold a frame of the port's"
                                                + " MTU: of a pool of at least %s and %s")
                                        .formatted(
                                                size((long) frameBytes << shift),
                                                slots(1 << shift)));
            }
        }
    }

    /** Length and refresh of the pauses that a port sends. */
    @Withers
    public record Pause(
            @Key(unit = "quanta", min = "1", max = "65535", absent = "65535")
                    @Says(
                            "Length of a pause in quanta of 512 bit times, at the rate that the"
                                    + " port has at the start.")
                    int quanta,
            @Key(quantity = DURATION, min = "1ns", max = "10s")
                    @Says("A pause that is still needed is sent again after this time.")
                    @Allowed("a time such as 800us, from 1ns to 10s, shorter than the pause")
                    @Otherwise("a quarter of the pause")
                    long refreshNs)
            implements FlowControlConfigPauseBuilder.With, Checked {

        static long refreshNs(Known known) {
            return Math.max(
                    1, ConfigDefaults.pauseNs(known.count("quanta"), known.number("rate")) / 4);
        }

        @Override
        public void check(Known known, Place place) {
            long pauseNs = ConfigDefaults.pauseNs(quanta, known.number("rate"));
            if (refreshNs >= pauseNs && refreshNs > 1) {
                place.child("refresh")
                        .refuse(
                                time(refreshNs),
                                "shorter than the pause, which is "
                                        + time(pauseNs)
                                        + " at the port's rate");
            }
        }
    }

    /**
     * Credits for each lossless priority.
     *
     * @param blockScale a block is 64 × 2<sup>blockScale</sup> bytes
     */
    @Withers
    public record Credits(
            @Key(absent = "on-change")
                    @Says(
                            "When credits are sent: every period (periodic), or when they change"
                                    + " and at least every period (on-change).")
                    Update update,
            @Key(quantity = DURATION, min = "1us", max = "1s", absent = "1ms", example = "60us")
                    @Says("Maximum time between two updates.")
                    long periodNs,
            @Key(quantity = DURATION, min = "0ns", max = "1s", absent = "20us")
                    @Says("With on-change, minimum time between two updates.")
                    @Allowed("a time such as 20us, from 0ns to 1s, at most the period")
                    long minGapNs,
            @Key(min = "0", max = "7", absent = "2", example = "0")
                    @Says(
                            "A credit is for a block of 64 bytes × 2^block-scale; a link uses the"
                                    + " smaller value of its two ends. At most 2048 blocks are"
                                    + " granted at a time, in addition to those held: 131 kB with"
                                    + " 0, as in InfiniBand.")
                    @Fixed("both ends negotiate it when the link comes up")
                    int blockScale,
            @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "500kB")
                    @Says("Memory that a lossless priority may hold.")
                    @Fixed("credits that the peer received cannot be taken back")
                    long bufferBytes,
            @Key(unit = "slots", min = "0", max = "1048576", example = "1000")
                    @Says(
                            "The same memory in slots; the credits are the smaller of free blocks"
                                    + " and free slots.")
                    @Otherwise("one slot for each block")
                    @Fixed("credits that the peer received cannot be taken back")
                    int bufferSlots)
            implements FlowControlConfigCreditsBuilder.With, Checked {
        private static final int LEAST_BLOCK_BYTES = 64;

        /** When updates are sent. */
        public enum Update {
            PERIODIC,
            ON_CHANGE
        }

        public int blockBytes() {
            return LEAST_BLOCK_BYTES << blockScale;
        }

        static int bufferSlots(Known known) {
            int blockBytes = LEAST_BLOCK_BYTES << known.count("block-scale");
            return Math.clamp(known.number("buffer") / blockBytes, 1, 1 << 20);
        }

        @Override
        public void check(Known known, Place place) {
            int frameBytes = ConfigDefaults.maxFrameBytes(FrameGrowth.countedPayloadBytes(known));
            int frameBlocks = Math.ceilDiv(frameBytes, blockBytes());
            if (bufferBytes / blockBytes() < frameBlocks) {
                place.child("buffer")
                        .refuse(
                                size(bufferBytes),
                                "at least one frame of the port's MTU in whole blocks: "
                                        + size((long) frameBlocks * blockBytes()));
            }
            if (bufferSlots < frameBlocks) {
                place.child("buffer-slots")
                        .refuse(
                                slots(bufferSlots),
                                "at least the blocks of one frame of the port's MTU: "
                                        + frameBlocks);
            }
            // Blocks of the least size: the other end may have asked for them.
            long mostSlots = bufferBytes / LEAST_BLOCK_BYTES;
            if (bufferSlots > mostSlots) {
                place.child("buffer-slots")
                        .refuse(
                                slots(bufferSlots),
                                "at most one per 64 bytes of the buffer, the minimum that a frame"
                                        + " takes: "
                                        + mostSlots);
            }
            if (minGapNs > periodNs) {
                place.child("min-gap")
                        .refuse(time(minGapNs), "at most the period, which is " + time(periodNs));
            }
        }
    }

    /**
     * Looks for priorities that stay paused without end, as SONiC's PFC watchdog does, and with its
     * terms.
     */
    @Withers
    public record Watchdog(
            @Key(absent = "drop")
                    @Says(
                            "Action for a priority in a pause storm: report it (alert), ignore its"
                                    + " pauses (forward), or drop its frames (drop).")
                    Action action,
            @Key(quantity = DURATION, min = "1us", max = "60s", absent = "200ms")
                    @Says(
                            "A priority that is paused for this time while frames wait is in a"
                                    + " pause storm.")
                    long detectionNs,
            @Key(quantity = DURATION, min = "1us", max = "60s", absent = "200ms")
                    @Says("The storm is over after this time without a pause.")
                    long restorationNs,
            @Key(quantity = DURATION, min = "1us", max = "60s", absent = "100ms", example = "200ms")
                    @Says("Polling interval, at most the shorter of detection and restoration.")
                    long pollNs)
            implements FlowControlConfigWatchdogBuilder.With, Checked {

        /** What happens to a priority in a storm. */
        public enum Action {
            /** It is reported. */
            ALERT,
            /** Its pauses are ignored. */
            FORWARD,
            /** Its frames are dropped. */
            DROP
        }

        @Override
        public void check(Known known, Place place) {
            long most = Math.min(detectionNs, restorationNs);
            if (pollNs > most) {
                place.child("poll")
                        .refuse(
                                time(pollNs),
                                "at most the shorter of detection and restoration, which is "
                                        + time(most));
            }
        }
    }

    /** A power of two, such as {@code 1/8} or {@code 4}, which is kept as its exponent. */
    static final class AlphaCodec implements Codec<Integer> {
        private static final int LEAST = -7;
        private static final int MOST = 3;

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "enum", IntStream.rangeClosed(LEAST, MOST).mapToObj(AlphaCodec::said).toList());
        }

        private static Object said(int exponent) {
            return exponent < 0 ? "1/" + (1 << -exponent) : (Object) (1 << exponent);
        }

        @Override
        public @Nullable Integer read(Place place, Known known) {
            for (int exponent = LEAST; exponent <= MOST; exponent++) {
                if (String.valueOf(said(exponent)).equals(String.valueOf(place.said()))) {
                    return exponent;
                }
            }
            place.refuse();
            return null;
        }

        @Override
        public Object write(Integer exponent, Known known) {
            return said(exponent);
        }

        @Override
        public Integer nothing() {
            return 0;
        }
    }

    private static String size(long bytes) {
        return Quantity.SIZE.format(bytes);
    }

    private static String slots(int slots) {
        return slots == 1 ? "1 slot" : slots + " slots";
    }

    private static String time(long ns) {
        return Quantity.DURATION.format(ns);
    }
}
