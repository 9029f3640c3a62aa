package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Forwarding of a host's card with two sides: all frames that arrive at one side leave by the
 * other, with their tags. Only two things end at the card: notices, if the card has a taker for
 * them, and data that switches have added to frames ({@link Sink}).
 *
 * <p>It may mark packets as ECN-capable (RFC 3168) for senders that do not do so: packets leave
 * with a configured code point, except those that have experienced congestion.
 */
public final class HostForwarding implements Forwarding {
    /** Packets keep their code points. */
    public static final int AS_SENT = 0;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int CONGESTION_EXPERIENCED = 3;
    private static final int UNSOUND = Forwarding.drop(DropReason.MALFORMED_TELEMETRY);

    private final int opposite;
    private final Runnable doorbell;
    private final int codePoint;

    // What takes off of frames what switches have added.
    private final Sink[] sinks;

    // Set by the thread that opens the application's device, read by the half.
    private volatile @Nullable NoticeTaker taker;
    private volatile @Nullable HopWatch watch;

    /**
     * @param opposite the port on the other side
     * @param doorbell rings the half that receives there: a notice may change what it must send,
     *     and when
     * @param codePoint ECN code point of leaving packets; {@link #AS_SENT}
     * @param sinks sinks that arriving frames are offered to, in order
     */
    public HostForwarding(int opposite, Runnable doorbell, int codePoint, Sink... sinks) {
        this.sinks = sinks;
        this.opposite = opposite;
        this.doorbell = doorbell;
        this.codePoint = codePoint;
    }

    /** Sets the taker of notices. Any thread. */
    public void takeNotices(NoticeTaker by) {
        taker = by;
    }

    /** Sets the observer of frames' paths. Any thread. */
    public void watchHops(HopWatch by) {
        watch = by;
    }

    /** Whether a sink here reports the paths of frames. */
    public boolean knowsPaths() {
        for (Sink sink : sinks) {
            if (sink.tellsPath()) {
                return true;
            }
        }
        return false;
    }

    /** False with sinks, because they make frames shorter. */
    @Override
    public boolean keepsFrames() {
        return sinks.length == 0;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        NoticeTaker notices = taker;
        boolean taken = false;
        for (int i = 0; i < count; i++) {
            if (answers[i] == UNDECIDED) {
                Frame frame = batch[i];
                if (sinks.length > 0 && !strip(nowNs, frame)) {
                    answers[i] = UNSOUND;
                    continue;
                }
                if (notices != null && notices.takes(frame)) {
                    notices.take(nowNs, frame);
                    answers[i] = CONSUMED;
                    taken = true;
                    continue;
                }
                // To the egress half no frame here has a tag that it could have to edit.
                frame.tagged = false;
                frame.vlan = 0;
                answers[i] = opposite;
                if (codePoint != AS_SENT) {
                    declare(frame);
                }
            }
        }
        if (taken) {
            doorbell.run();
        }
    }

    /** Takes off what switches have added; false if the rest is malformed. */
    private boolean strip(long nowNs, Frame frame) {
        HopRecords hops = frame.hops;
        if (hops == null) {
            hops = new HopRecords();
            frame.hops = hops;
        }
        hops.clear();
        // What one takes off may have hidden what is another's.
        boolean tookAny = true;
        boolean toldPath = false;
        for (int round = 0; tookAny && round < sinks.length; round++) {
            tookAny = false;
            for (Sink sink : sinks) {
                if (sink.takes(frame)) {
                    if (!sink.take(frame, hops) || HeaderParser.parse(MEMORY, frame) != null) {
                        return false;
                    }
                    tookAny = true;
                    toldPath |= sink.tellsPath();
                }
            }
        }
        HopWatch sees = toldPath ? watch : null;
        if (sees != null) {
            sees.arrived(nowNs, frame, hops);
        }
        return true;
    }

    private void declare(Frame frame) {
        if (frame.ipOffset == Frame.ABSENT) {
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (frame.etherType == EtherType.IPV4) {
            if (Ipv4.ecn(MEMORY, ip) != CONGESTION_EXPERIENCED) {
                Ipv4.ecn(MEMORY, ip, codePoint);
            }
        } else if (Ipv6.ecn(MEMORY, ip) != CONGESTION_EXPERIENCED) {
            Ipv6.ecn(MEMORY, ip, codePoint);
        }
    }
}
