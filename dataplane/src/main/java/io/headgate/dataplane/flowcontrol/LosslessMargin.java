package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Headroom;
import io.headgate.config.PortConfig;
import io.headgate.config.key.Quantity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a port's lossless priorities are lossless on this machine: compares their headroom
 * with the bytes that can arrive between the threshold and silence. Uses the observed reaction time
 * instead of the configured one. Not for the path of a frame: computed when a person asks.
 *
 * <p>In the worst case the port's own reaction takes the wake-up time of a sleeping worker, then
 * the cycle in which the frame is received, then the cycle in which the other half sends the pause:
 * a frame may come just behind the first look, and the order just behind the second. Until the
 * first of these cycles looks, the device's own ring must hold the arriving frames.
 *
 * @param idleBoundNs longest wake-up time of the port's workers
 * @param ingressCycleNs longest duty cycle of the worker that runs the ingress half
 * @param egressCycleNs longest duty cycle of the worker that runs the egress half
 */
public record LosslessMargin(
        PortConfig config, long idleBoundNs, long ingressCycleNs, long egressCycleNs) {
    /** One day: a worker that is held for longer is not only slow. */
    private static final long LONGEST_HOLD_NS = 86_400_000_000_000L;

    /** The margin with workers that take no time. */
    public LosslessMargin(PortConfig config) {
        this(config, 0, 0, 0);
    }

    /** The margin with workers of these times. */
    public LosslessMargin at(long wakeNs, long ingressNs, long egressNs) {
        return new LosslessMargin(config, wakeNs, ingressNs, egressNs);
    }

    private FlowControlConfig.@Nullable Buffers buffers() {
        return config.flowControl().buffers();
    }

    /**
     * Whether losslessness depends on headroom: not with credits, nor if all priorities are lossy.
     */
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
     * Free part of the headroom in the worst case, in bytes; below 0: not guaranteed. {@link
     * Long#MAX_VALUE} if no headroom is needed.
     */
    public long bytes() {
        FlowControlConfig.Buffers buffers = buffers();
        return buffers == null || !isNeeded()
                ? Long.MAX_VALUE
                : buffers.headroomBytes() - needed().bytes();
    }

    /** The same in slots, if all arriving frames have the minimum size. */
    public long slots() {
        FlowControlConfig.Buffers buffers = buffers();
        return buffers == null || !isNeeded()
                ? Long.MAX_VALUE
                : buffers.headroomSlots() - needed().slots();
    }

    /**
     * Free part of the device's ring in the worst case, in frames; below 0: the kernel may have to
     * drop before the port has even looked. {@link Long#MAX_VALUE} if no headroom is needed, and
     * for devices whose ring is not known.
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
     * Whether the headroom is as large as rate, MTU and link require. If not, no machine is fast
     * enough for a guarantee, and a loss is not the machine's fault.
     */
    public boolean isAsPlanned() {
        long ownReactionNs = config.flowControl().link().ownReactionNs();
        LosslessMargin planned = at(ownReactionNs, 0, 0);
        return planned.bytes() >= 0 && planned.slots() >= 0;
    }

    /** Whether no frame can be lost with workers as slow as these: no margin is below 0. */
    public boolean isGuaranteed() {
        return bytes() >= 0 && slots() >= 0 && ringFrames() >= 0;
    }

    /**
     * The margin as a time, in ns: how much longer than observed the port's worker may once be held
     * without loss. 0 if not even the observed time is covered; at most one day.
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

    /** The verdict and its calculation, for a person. */
    public String explain() {
        FlowControlConfig.Buffers buffers = buffers();
        if (buffers == null || !isNeeded()) {
            return config.flowControl().mode() == FlowControlConfig.Mode.CREDITS
                    ? "guaranteed: a sender with credits sends only frames for which there is"
                            + " room\n"
                    : "no lossless priority\n";
        }
        return String.format(
                Locale.ROOT,
                "%s; margin %s, %,d slots (of headroom %s, %,d slots);%nown reaction: %s to wake,"
                        + " then cycles of %s (ingress) and %s (egress)%n%s",
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

    /** The verdict in one sentence, including the fix in terms of the configuration. */
    private String verdict() {
        Headroom needed = needed();
        if (bytes() < 0) {
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more bytes can arrive than the headroom can hold; buffers:"
                            + " {headroom: %dB} would be enough",
                    needed.bytes());
        }
        if (slots() < 0) {
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more short frames can arrive than the headroom has slots;"
                            + " buffers: {headroom-slots: %d} would be enough",
                    needed.slots());
        }
        long ringFrames = ringFrames();
        if (ringFrames < 0) {
            int ring = config.device().kind().ringFrames();
            long wanted = Long.highestOneBit(ring - ringFrames - 1) << 1;
            return String.format(
                    Locale.ROOT,
                    "not guaranteed: more short frames can arrive between two polls of the port"
                            + " than its device's ring can hold (%,d); %s",
                    ring,
                    wanted <= ConfigDefaults.MAX_RING_FRAMES
                            ? "ring: " + wanted + " would hold them"
                            : "no ring is large enough: use a lower rate, or more cores");
        }
        return "guaranteed, even if a worker is delayed for "
                + Quantity.DURATION.about(spareNs())
                + " longer";
    }
}
