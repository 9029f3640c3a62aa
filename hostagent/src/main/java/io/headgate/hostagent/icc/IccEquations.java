package io.headgate.hostagent.icc;

/**
 * The equations for the rates of ICC's sender (section 4.3). C is the link's rate, n the number of
 * flows that share it, and T the round trip without queues. The paper does not define B; here it is
 * C, too.
 *
 * <p><b>As printed</b>, equation 1 has the bytes on their way, B T lu, on the wrong side: they are
 * added to the bytes that may still come before the queue is Qd, so that Vmax is above the safe
 * rate; and the bytes that have already come, qlen, are not subtracted. Equation 3 has the queue on
 * the wrong side: Vmin is above C / n, and at that rate the queue that it should empty grows. A T
 * is missing below the queue in equations 4 and 5; it follows from equation 3, and is there in both
 * forms. tm = tq - td lost its minus.
 *
 * <pre>
 *   tq = Qd / qlenrate            Vmax = C / n + (Qd + B T lu) / (n tm)
 *                                 Vmin = (C + B lu + qlen / T) / n
 * </pre>
 *
 * <p><b>Consistent</b>, the intended meaning: at Vmax the queue is Qd after tm, at Vmin it is empty
 * after T. A share g of the bytes on their way is subtracted: 0 by default, since bytes under way
 * at the fair rate also leave.
 *
 * <pre>
 *   tq = (Qd - qlen) / qlenrate   Vmax = C / n + (Qd - qlen - g B T lu) / (n tm)
 *                                 Vmin = (C - qlen / T) / n
 * </pre>
 *
 * <p>tm is at least T / 2; the paper has no such minimum: tm may be 0 or negative if the queue
 * reaches Qd before the sender is notified. Rates are in bits per second, lengths in bytes, times
 * in ns.
 */
public enum IccEquations {
    PRINTED {
        @Override
        double vmax(Port port, double tNs, double tdNs, double qdBytes, double g) {
            double tqNs = qdBytes * BITS_AT_1_NS / port.qlenrate;
            double tmNs = Math.max(tqNs - tdNs, tNs / 2);
            double onItsWay = port.c * tNs * port.lu / BITS_AT_1_NS;
            return port.share(0) + (qdBytes + onItsWay) * BITS_AT_1_NS / (port.n * tmNs);
        }

        @Override
        double vmin(Port port, double tNs) {
            return port.share(port.c * port.lu + port.qlen * BITS_AT_1_NS / tNs);
        }
    },
    CONSISTENT {
        @Override
        double vmax(Port port, double tNs, double tdNs, double qdBytes, double g) {
            double tqNs = (qdBytes - port.qlen) * BITS_AT_1_NS / port.qlenrate;
            double tmNs = Math.max(tqNs - tdNs, tNs / 2);
            double onItsWay = g * port.c * tNs * port.lu / BITS_AT_1_NS;
            double room = qdBytes - port.qlen - onItsWay;
            return port.share(0) + room * BITS_AT_1_NS / (port.n * tmNs);
        }

        @Override
        double vmin(Port port, double tNs) {
            return port.share(-port.qlen * BITS_AT_1_NS / tNs);
        }
    };

    static final double BITS_AT_1_NS = 8e9;

    /** The values that a port reports. The object is reused. */
    static final class Port {
        double qlen;
        double qlenrate;
        double lu;
        double c;
        int n = 1;

        /** A flow's share of the link, plus an addition. */
        private double share(double more) {
            return (c + more) / n;
        }
    }

    /** The highest rate at which the queue does not reach Qd. */
    abstract double vmax(Port port, double tNs, double tdNs, double qdBytes, double g);

    /** The rate at which the queue is empty after a round trip. */
    abstract double vmin(Port port, double tNs);

    /**
     * Whether the queue drains by itself within a round trip (t1 below T): no sender slows down.
     */
    static boolean drains(Port port, double tNs) {
        return port.qlenrate < 0 && port.qlen * BITS_AT_1_NS / -port.qlenrate < tNs;
    }
}
