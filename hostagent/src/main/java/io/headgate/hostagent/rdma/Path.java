package io.headgate.hostagent.rdma;

/**
 * The addresses of packets: source, destination, port and code point.
 *
 * @param ownMac MAC address of this host's card
 * @param peerMac MAC address of the other host, or of the router towards it
 * @param ownIp this host's IPv4 address, the first byte on the wire highest
 * @param peerIp the other host's IPv4 address
 * @param sourcePort UDP source port: one per connection, for switches that spread flows
 * @param dscp differentiated services code point
 */
public record Path(long ownMac, long peerMac, int ownIp, int peerIp, int sourcePort, int dscp) {

    /** Source ports of connections (InfiniBand architecture, annex A17). */
    private static final int FIRST_SOURCE_PORT = 0xC000;

    private static final int SOURCE_PORTS = 0x4000;

    /** The UDP source port of a queue pair: neighbouring numbers get ports far apart. */
    public static int sourcePort(int queuePair) {
        long hash = (queuePair + 1) * 0x9E37_79B9_7F4A_7C15L;
        return FIRST_SOURCE_PORT + (int) ((hash >>> 32) & (SOURCE_PORTS - 1));
    }
}
