package io.headgate.hostagent.rdma;

import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoints of a host are made from.
 *
 * @param ipv4 its address, the first byte on the wire highest
 * @param mtuBytes path MTU: most payload in a packet; 256, 512, 1024, 2048 or 4096. A server takes
 *     what its clients ask for, if it is no more than this
 * @param service number of the service that connections are made to
 * @param timeoutNs as {@link Requester.Settings#timeoutNs}
 * @param retries as {@link Requester.Settings#retries}
 * @param reordering with selective repair, the packets after which one that has not come is lost;
 *     0: connections go back to the first one missing
 * @param rates what controls how fast connections send; null: nothing
 */
public record RdmaSetup(
        long mac,
        int ipv4,
        long lineRateBps,
        int mtuBytes,
        int dscp,
        int service,
        long timeoutNs,
        int retries,
        int reordering,
        @Nullable RateControls<?> rates) {

    /** What a connection with selective repair may keep of packets that came ahead, in bytes. */
    private static final int REPAIR_BYTES = 512 << 10;

    /** Most of the connections of a server that have room for that. */
    static final int MOST_REPAIRING = 64;

    /** Times in a row that packets are sent again, where nothing else is said. */
    public static final int USUAL_RETRIES = 7;

    /** The service of connections, where nothing else is said. */
    public static final int USUAL_SERVICE = 18_515;

    /** From an IP header to the payload of a WRITE, and the ICRC behind it. */
    public static final int HEADERS_BYTES = 20 + 8 + 12 + 16 + 4;

    private static final int LEAST_MTU = 256;
    private static final int LARGEST_MTU = 4_096;
    private static final long LEAST_TIMEOUT_NS = 67_000_000;
    private static final double IN_NETWORK_BITS = 16_000_000.0 * Byte.SIZE;
    private static final double NS_PER_S = 1e9;

    /** Ends of a host, each with connections of its own. */
    public static final int MOST_ENDS = 64;

    /** A host's end of connections, one of several that may share its card and its address. */
    public record End(RdmaSetup setup, Role role) {}

    /**
     * How long an acknowledgement may take where nothing else is said: as long as 16 MB take on the
     * line, which may wait in the network, so that one is late and not lost.
     */
    public static long usualTimeoutNs(long lineRateBps) {
        return Math.max(LEAST_TIMEOUT_NS, (long) (IN_NETWORK_BITS * NS_PER_S / lineRateBps));
    }

    /** The largest path MTU that a link with this MTU carries; 0: none. */
    public static int largestMtu(int linkMtuBytes) {
        int mtu = LARGEST_MTU;
        while (mtu >= LEAST_MTU && mtu + HEADERS_BYTES > linkMtuBytes) {
            mtu /= 2;
        }
        return mtu < LEAST_MTU ? 0 : mtu;
    }

    /** That in bytes; 0 without selective repair. */
    int repairBytes() {
        return reordering == 0 ? 0 : REPAIR_BYTES;
    }

    int ackEvery() {
        return rates == null ? RateControlMechanism.USUAL_ACK_EVERY : rates.ackEvery();
    }

    /** What a host does: it makes connections, or waits for them. */
    public sealed interface Role {}

    /**
     * The side that makes connections.
     *
     * @param gateway the router towards it; the server itself if it is on the same network
     * @param mac MAC address of the gateway; 0: it is asked for
     * @param patienceNs how long the server is asked
     * @param mayBegin asked every millisecond once a connection stands, until it says yes: nothing
     *     is sent before, so that several hosts can begin together
     */
    public record Client(
            PerfPlan plan,
            int ipv4,
            int gateway,
            long mac,
            int queuePairs,
            long patienceNs,
            BooleanSupplier mayBegin)
            implements Role {}

    /**
     * The side that waits for connections.
     *
     * @param clients number of hosts that come, before it ends
     * @param memoryBytes memory for the messages of all connections that exist at a time
     * @param test the test that it serves
     */
    public record Server(PerfPlan.Test test, int clients, long memoryBytes) implements Role {}
}
