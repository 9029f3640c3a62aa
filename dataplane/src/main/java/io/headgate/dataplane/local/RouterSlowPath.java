package io.headgate.dataplane.local;

import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.forwarding.Router;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles packets that a router's ingress halves could not forward: looks up the route again, sends
 * an ICMP error, or requests the neighbour's address and holds a few packets until it answers.
 * Owned by the local port's worker.
 */
final class RouterSlowPath {
    /**
     * Maximum number of packets held, over all neighbours: half the buffers stay free for answers.
     * An ingress port may hold as many as are still free, so that the next port finds a place.
     */
    static final int MAX_HELD = LocalBuffers.COUNT / 2;

    /**
     * Maximum number of packets held for one neighbour (RFC 4861 section 7.2.2 requires at least
     * one).
     */
    static final int MAX_HELD_EACH = 8;

    private final LocalBuffers buffers;
    private final Router router;
    private final IcmpErrors errors;
    // Takes the frames that end here.
    private final BiConsumer<Frame, DropReason> drops;

    // Held packets in order of arrival, and the neighbour that each waits for.
    private final @Nullable Frame[] held = new Frame[MAX_HELD];
    private final int[] heldFor = new int[MAX_HELD];
    private final int[] heldByPort;
    private int heldCount;

    RouterSlowPath(
            LocalBuffers buffers,
            Router router,
            IcmpErrors errors,
            int ports,
            BiConsumer<Frame, DropReason> drops) {
        this.buffers = buffers;
        this.router = router;
        this.errors = errors;
        this.heldByPort = new int[ports];
        this.drops = drops;
    }

    /** Handles a packet that is not for the switch's own addresses. */
    void take(long nowNs, Frame frame, Neighbours neighbours) {
        switch (router.route(nowNs, frame, buffers.segment())) {
            case FORWARD -> forward(frame);
            case UNRESOLVED -> hold(nowNs, frame, neighbours);
            case EXPIRED ->
                    refuse(nowNs, frame, IcmpErrors.Kind.TIME_EXCEEDED, DropReason.TTL_EXPIRED);
            case NO_ROUTE -> refuse(nowNs, frame, IcmpErrors.Kind.NO_ROUTE, DropReason.NO_ROUTE);
            case TOO_BIG ->
                    refuse(nowNs, frame, IcmpErrors.Kind.TOO_BIG, DropReason.EGRESS_OVERSIZE);
            case PORT_DOWN -> drops.accept(frame, DropReason.PORT_DOWN);
            case LOCAL, BAD_HEADER, BAD_SOURCE -> drops.accept(frame, DropReason.LOCAL_UNHANDLED);
        }
    }

    private void forward(Frame frame) {
        router.rewrite(frame, buffers.segment());
        buffers.count(ForwardingCounter.LOCAL_FORWARDED);
        buffers.leave(frame, frame.lengthBytes, router.port());
    }

    private void refuse(long nowNs, Frame frame, IcmpErrors.Kind kind, DropReason reason) {
        int mtuBytes = kind == IcmpErrors.Kind.TOO_BIG ? router.mtuBytes(router.port()) : 0;
        errors.send(nowNs, frame, kind, mtuBytes);
        drops.accept(frame, reason);
    }

    private void hold(long nowNs, Frame frame, Neighbours neighbours) {
        int from = frame.ingressPort;
        int neighbour =
                neighbours.resolve(nowNs, from, router.port(), router.hopHigh(), router.hopLow());
        int same = 0;
        for (int i = 0; i < heldCount; i++) {
            same += heldFor[i] == neighbour ? 1 : 0;
        }
        if (neighbour < 0 || heldByPort[from] >= MAX_HELD - heldCount || same == MAX_HELD_EACH) {
            drops.accept(frame, DropReason.NEIGHBOUR_UNRESOLVED);
            return;
        }
        heldByPort[from]++;
        held[heldCount] = frame;
        heldFor[heldCount++] = neighbour;
    }

    /** Called when a neighbour has answered. */
    void resolved(long nowNs, int neighbour) {
        for (Frame frame = unhold(neighbour); frame != null; frame = unhold(neighbour)) {
            if (router.route(nowNs, frame, buffers.segment()) == Router.Verdict.FORWARD) {
                forward(frame);
            } else {
                drops.accept(frame, DropReason.NEIGHBOUR_UNRESOLVED);
            }
        }
    }

    /** Called when a neighbour does not answer. */
    void lost(long nowNs, int neighbour) {
        for (Frame frame = unhold(neighbour); frame != null; frame = unhold(neighbour)) {
            refuse(nowNs, frame, IcmpErrors.Kind.HOST_UNREACHABLE, DropReason.NEIGHBOUR_UNRESOLVED);
        }
    }

    /** Takes out the first packet that waits for a neighbour; null if none does. */
    private @Nullable Frame unhold(int neighbour) {
        for (int i = 0; i < heldCount; i++) {
            Frame frame = held[i];
            if (frame != null && heldFor[i] == neighbour) {
                heldCount--;
                heldByPort[frame.ingressPort]--;
                System.arraycopy(held, i + 1, held, i, heldCount - i);
                System.arraycopy(heldFor, i + 1, heldFor, i, heldCount - i);
                held[heldCount] = null;
                return frame;
            }
        }
        return null;
    }

    int heldFrames() {
        return heldCount;
    }
}
