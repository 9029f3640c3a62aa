package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.linux.net.LinkState;

/**
 * Whether the interface under an AF_XDP socket can carry frames. The socket itself does not say: it
 * merely goes quiet. The ingress half's thread looks now and then; the egress half's reports what a
 * kick told it; anyone reads the answer.
 */
public final class XskLink {
    /** How often the ingress half looks, in ns. */
    static final long CHECK_INTERVAL_NS = 50_000_000;

    private final LinkState state;
    private long nextCheckNs = Long.MIN_VALUE;
    private volatile boolean up;
    private volatile boolean gone;

    XskLink(LinkState state) {
        this.state = state;
        look();
    }

    boolean isUp() {
        return up;
    }

    boolean isGone() {
        return gone;
    }

    /** A kick was refused because the interface is down or gone. Any thread. */
    void lost() {
        up = false;
    }

    /** Looks if it is time to. The ingress half's thread. */
    void check(long nowNs) {
        if (nextCheckNs == Long.MIN_VALUE || nextCheckNs - nowNs <= 0) {
            nextCheckNs = nowNs + CHECK_INTERVAL_NS;
            look();
        }
    }

    /** Looks now. The ingress half's thread. */
    void look() {
        int seen = gone ? LinkState.GONE : state.look();
        // A socket whose interface was deleted stays unbound, whatever is made in its place.
        if (seen == LinkState.GONE && !gone) {
            gone = true;
        }
        boolean now = seen == LinkState.UP;
        if (now != up) {
            up = now;
        }
    }

    /** The device is closed; no more looks follow. */
    void close() {
        gone = true;
        up = false;
    }
}
