package io.headgate.hostagent.rdma;

import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a host's endpoints.
 *
 * @param ipv4 the host's IPv4 address, the first byte on the wire highest
 * @param mtuBytes path MTU, the maximum payload of a packet: 256, 512, 1024, 2048 or 4096. A server
 *     accepts smaller ones that its clients ask for
 * @param service number of the service that connections are made to
 * @param timeoutNs as {@link Requester.Settings#timeoutNs}
 * @param retries as {@link Requester.Settings#retries}
 * @param reordering with selective repair, the number of later packets after which a missing one is
 *     lost; 0: connections go back to the first missing packet
 * @param rates the rate control of connections; null: none
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

    /** Bytes of packets that came ahead that a connection with selective repair may keep. */
    private static final int REPAIR_BYTES = 512 << 10;

    /** Maximum number of connections of a server that have room for this. */
    static final int MOST_REPAIRING = 64;

    /** Default number of consecutive times that packets are sent again. */
    public static final int USUAL_RETRIES = 7;

    /** The default service of connections. */
    public static final int USUAL_SERVICE = 18_515;

    /** Bytes from an IP header to the payload of a WRITE, plus the ICRC behind it. */
    public static final int HEADERS_BYTES = 20 + 8 + 12 + 16 + 4;

    private static final int LEAST_MTU = 256;
    private static final int LARGEST_MTU = 4_096;
    private static final long LEAST_TIMEOUT_NS = 67_000_000;
    private static final double IN_NETWORK_BITS = 16_000_000.0 * Byte.SIZE;
    private static final double NS_PER_S = 1e9;

    /** Maximum number of ends of a host, each with connections of its own. */
    public static final int MOST_ENDS = 64;

    /** One end of a host's connections; several ends may share its card and its address. */
    public record End(RdmaSetup setup, Role role) {}

    /**
     * The default time-out of an acknowledgement: the time that 16 MB take on the line, but at
     * least 67 ms. This much may wait in the network, so a shorter time-out would take a late
     * acknowledgement for a lost one.
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

    /** Bytes of packets that came ahead that a connection may keep; 0 without selective repair. */
    int repairBytes() {
        return reordering == 0 ? 0 : REPAIR_BYTES;
    }

    int ackEvery() {
        return rates == null ? RateControlMechanism.USUAL_ACK_EVERY : rates.ackEvery();
    }

    /** The role of a host: it makes connections, or waits for them. */
    public sealed interface Role {}

    /**
     * The side that makes connections.
     *
     * @param gateway the router towards it; the server itself if it is on the same network
     * @param mac MAC address of the gateway; 0: ARP finds it
     * @param patienceNs time for which requests to the server are repeated
     * @param mayBegin called every millisecond once a connection is open, until it returns true:
     *     nothing is sent before, so that several hosts can begin together
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
     * @param clients number of hosts that connect before it ends
     * @param memoryBytes memory for the messages of all connections that exist at the same time
     * @param test the test that it serves
     */
    public record Server(PerfPlan.Test test, int clients, long memoryBytes) implements Role {}
}
