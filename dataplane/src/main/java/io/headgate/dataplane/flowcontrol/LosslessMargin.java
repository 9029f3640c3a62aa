package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Headroom;
import io.headgate.config.PortConfig;
import io.headgate.config.key.Quantity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a port's lossless priorities are lossless on this machine as it runs: their headroom,
 * less what can arrive between the threshold and silence, with the reaction time that was seen
 * instead of the one that was configured. Not for the path of a frame: asked when a person looks.
 *
 * <p>The port's own reaction is at worst the time that a sleeping worker takes to wake, then the
 * cycle in which the frame is received, then the cycle in which the other half sends the pause: a
 * frame may come just behind the first look, and the order just behind the second. Until the first
 * of these cycles has looked, the device's own ring must hold what comes.
 *
 * @param idleBoundNs the longest that the port's workers took to wake
 * @param ingressCycleNs longest duty cycle of the worker that runs the ingress half
 * @param egressCycleNs the same of the worker that runs the egress half
 */
public record LosslessMargin(
        PortConfig config, long idleBoundNs, long ingressCycleNs, long egressCycleNs) {
    /** A day: nothing that is held for longer is only slow. */
    private static final long LONGEST_HOLD_NS = 86_400_000_000_000L;

    /** Of workers that take no time. */
    public LosslessMargin(PortConfig config) {
        this(config, 0, 0, 0);
    }

    /** The same with workers as slow as this. */
    public LosslessMargin at(long wakeNs, long ingressNs, long egressNs) {
        return new LosslessMargin(config, wakeNs, ingressNs, egressNs);
    }

    private FlowControlConfig.@Nullable Buffers buffers() {
        return config.flowControl().buffers();
    }

    /** Whether losslessness hangs on headroom at all: not with credits, nor where all is lossy. */
    public boolean isNeeded() {
        return buffers() != null && config.traffic().losslessMask() != 0;
    }

    private Headroom needed() {
        FlowControlConfig.Link link = config.flowControl().link();
        return new Headroom(
                config.rateBps(),
                config.countedPayloadBytes(),
                new FlowControlConfig.Link(
                        link.delayNs(),
                        idleBoundNs + ingressCycleNs + egressCycleNs,
                        link.peerReactionNs()));
    }

    /**
     * What is left of the headroom in the worst case, in bytes; below 0: not guaranteed. {@link
     * Long#MAX_VALUE} where no headroom is needed.
     */
    public long bytes() {
        FlowControlConfig.Buffers buffers = buffers();
        return buffers == null || !isNeeded()
                ? Long.MAX_VALUE
                : buffers.headroomBytes() - needed().bytes();
    }

    /** The same in slots, were all that arrives frames of the least size. */
    public long slots() {
        FlowControlConfig.Buffers buffers = buffers();
        return buffers == null || !isNeeded()
                ? Long.MAX_VALUE
                : buffers.headroomSlots() - needed().slots();
    }

    /**
     * What is left of the device's ring in the worst case, in frames; below 0: the kernel may have
     * to drop before the port has even looked. {@link Long#MAX_VALUE} where no headroom is needed,
     * and for devices whose ring is not known.
     */
    public long ringFrames() {
        int ring = config.device().kind().ringFrames();
        if (!isNeeded() || ring == ConfigDefaults.RING_NOT_KNOWN) {
            return Long.MAX_VALUE;
        }
        long bytes = Headroom.arrivingBytes(config.rateBps(), idleBoundNs + ingressCycleNs);
        return ring - Math.ceilDiv(bytes, Headroom.MIN_WIRE_BYTES);
    }

    /**
     * Whether the headroom is what rate, MTU and link ask for. If not, no machine is fast enough
     * for a guarantee, and a loss is not the machine's fault.
     */
    public boolean isAsPlanned() {
        long ownReactionNs = config.flowControl().link().ownReactionNs();
        LosslessMargin planned = at(ownReactionNs, 0, 0);
        return planned.bytes() >= 0 && planned.slots() >= 0;
    }

    /** Whether nothing can be lost, were it as slow as told: none of the margins is below 0. */
    public boolean isGuaranteed() {
        return bytes() >= 0 && slots() >= 0 && ringFrames() >= 0;
    }

    /**
     * The margin as a time: for how much longer than it was the port's worker may once be held,
     * with nothing lost, in ns; 0 if not even what was seen is covered, at most a day.
     */
    public long spareNs() {
        long spareNs = 0;
        for (long stepNs = Long.highestOneBit(LONGEST_HOLD_NS); stepNs > 0; stepNs >>= 1) {
            if (at(idleBoundNs + spareNs + stepNs, ingressCycleNs, egressCycleNs).isGuaranteed()) {
                spareNs += stepNs;
            }
        }
        return Math.min(spareNs, LONGEST_HOLD_NS);
    }

    /** The verdict and the working behind it, for a person. */
    public String explain() {
        FlowControlConfig.Buffers buffers = buffers();
        if (buffers == null || !isNeeded()) {
            return config.flowControl().mode() == FlowControlConfig.Mode.CREDITS
                    ? "guaranteed: a sender with credits sends only what there is room for\n"
                    : "no lossless priority\n";
        }
        return String.format(
                Locale.ROOT,
                "%s; margin %s, %,d slots, of %s, %,d slots of headroom;%n"
                        + "own reaction: %s to wake, then cycles of %s (ingress) and %s (egress)%n"
                        + "%s",
                verdict(),
                Quantity.SIZE.about(bytes()),
                slots(),
                Quantity.SIZE.about(buffers.headroomBytes()),
                buffers.headroomSlots(),
                Quantity.DURATION.about(idleBoundNs),
                Quantity.DURATION.about(ingressCycleNs),
                Quantity.DURATION.about(egressCycleNs),
                needed().explain());
    }

    /** In one sentence, including the fix in the words of the configuration. */
    private String verdict() {
        Headroom needed = needed();
        if (bytes() < 0) {
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more bytes can arrive than there is headroom for;"
                            + " buffers: {headroom: %dB} would hold them",
                    needed.bytes());
        }
        if (slots() < 0) {
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more short frames can arrive than there are slots for;"
                            + " buffers: {headroom-slots: %d} would hold them",
                    needed.slots());
        }
        long ringFrames = ringFrames();
        if (ringFrames < 0) {
            int ring = config.device().kind().ringFrames();
            long wanted = Long.highestOneBit(ring - ringFrames - 1) << 1;
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more short frames can arrive before the port looks than the"
                            + " %,d that its device's ring holds; %s",
                    ring,
                    wanted <= ConfigDefaults.MAX_RING_FRAMES
                            ? "ring: " + wanted + " would hold them"
                            : "no ring would hold them: give a lower rate, or more cores");
        }
        return "guaranteed, even if a worker is held for "
                + Quantity.DURATION.about(spareNs())
                + " longer";
    }
}
