package io.headgate.dataplane.escape;

/**
 * Decides in which turn tokens of a port's known flows pass its egress half: the pool's last token
 * is for the flow that has waited longest since it was refused one. Without turns, flows that ask
 * at the same times would get the same answer each time, and theorem 4.4.1 would not hold for those
 * that are refused. Other tokens are for any flow, so that not all are reserved for flows that may
 * never ask again.
 *
 * <p>Tokens do not say when the next one comes for a flow: that depends on the pool and the reclaim
 * time of the switch that made them. So a reservation for a flow lasts only a certain time after
 * its last request; if the flow asks again later than that, the time doubles. After a bounded
 * number of refusals the time covers the interval between its requests, however long that is, and a
 * flow that stops asking loses its reservation.
 */
final class Turns {
    private final KnownFlows flows;

    // Per flow: the time of its first refusal since it last passed, the time of its last request,
    // and how long its reservation lasts after that; 0: it does not wait.
    private final long[] sinceNs;
    private final long[] askedNs;
    private final long[] patienceNs;

    private int waiting;
    private long longestPatienceNs;

    Turns(KnownFlows flows, int most) {
        this.flows = flows;
        this.sinceNs = new long[most];
        this.askedNs = new long[most];
        this.patienceNs = new long[most];
    }

    /**
     * Whether a token of a flow may pass now.
     *
     * @param left tokens left in the pool of the flow's priority
     */
    boolean mayPass(long nowNs, int flow, int left) {
        for (int other = 0; left == 1 && waiting > 0 && other < flows.size(); other++) {
            if (other != flow && goesBefore(nowNs, other, flow)) {
                return false;
            }
        }
        return left > 0;
    }

    private boolean goesBefore(long nowNs, int other, int flow) {
        return patienceNs[other] > 0
                && flows.priority(other) == flows.priority(flow)
                && nowNs - askedNs[other] <= patienceNs[other]
                && (patienceNs[flow] == 0 || sinceNs[other] - sinceNs[flow] < 0);
    }

    /**
     * Notes that a token of a flow was refused.
     *
     * @param leastNs minimum time for which a token is reserved for the flow, above 0
     */
    void refused(long nowNs, int flow, long leastNs) {
        if (patienceNs[flow] == 0) {
            waiting++;
            sinceNs[flow] = nowNs;
            patienceNs[flow] = leastNs;
        } else if (nowNs - askedNs[flow] > patienceNs[flow]) {
            patienceNs[flow] *= 2;
        }
        askedNs[flow] = nowNs;
        longestPatienceNs = Math.max(longestPatienceNs, patienceNs[flow]);
    }

    /**
     * Ends the wait of a flow: a token of it has passed or found a frame, its sender is no longer
     * paused, or the port no longer knows it.
     */
    void over(int flow) {
        if (waiting > 0 && patienceNs[flow] > 0) {
            patienceNs[flow] = 0;
            waiting--;
        }
    }

    /** Maximum time for which a token was reserved for a flow after it asked. */
    long longestPatienceNs() {
        return longestPatienceNs;
    }
}
