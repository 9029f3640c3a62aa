package io.headgate.testbed.traffic.frame;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The frames of the benchmark: UDP over IPv4 between two stations, without UDP checksum (0), so
 * that a flow's number can be written into the source port. Sizes are RFC 2544's: with the FCS.
 */
public final class TestFrame {
    public static final int FCS_BYTES = 4;

    /** Addresses of the stations behind the device's left and right port. */
    private static final long LEFT_MAC = 0x02_00_00_00_01_01L;

    private static final long RIGHT_MAC = 0x02_00_00_00_01_02L;

    private static final int HEADERS_BYTES = 14 + 20 + 8;
    private static final int IP_OFFSET = 14;
    private static final int LEFT_ADDRESS = 0xC6120001; // 198.18.0.1, RFC 2544's network
    private static final int RIGHT_ADDRESS = 0xC6130001;

    private TestFrame() {}

    /**
     * A frame.
     *
     * @param sizeBytes with FCS
     * @param toRight its direction
     * @param payload what fills it
     */
    public static byte[] of(int sizeBytes, boolean toRight, Random payload) {
        return toRight
                ? of(sizeBytes, LEFT_MAC, RIGHT_MAC, LEFT_ADDRESS, RIGHT_ADDRESS, payload)
                : of(sizeBytes, RIGHT_MAC, LEFT_MAC, RIGHT_ADDRESS, LEFT_ADDRESS, payload);
    }

    /**
     * A frame between any two stations.
     *
     * @param sizeBytes with FCS, 64 at least
     * @param sourceMac in the low 48 bits, as the destination's
     */
    public static byte[] of(int sizeBytes, long sourceMac, long destinationMac, Random payload) {
        return of(sizeBytes, sourceMac, destinationMac, LEFT_ADDRESS, RIGHT_ADDRESS, payload);
    }

    private static byte[] of(
            int sizeBytes,
            long sourceMac,
            long destinationMac,
            int source,
            int destination,
            Random payload) {
        byte[] bytes = new byte[sizeBytes - FCS_BYTES];
        byte[] content = new byte[bytes.length - HEADERS_BYTES];
        payload.nextBytes(content);
        ByteBuffer frame = ByteBuffer.wrap(bytes);
        putMac(frame, destinationMac);
        putMac(frame, sourceMac);
        frame.putShort((short) 0x0800);
        frame.putShort((short) 0x4500).putShort((short) (bytes.length - IP_OFFSET));
        frame.putInt(0x00004000).putShort((short) 0x4011).putShort((short) 0);
        frame.putInt(source);
        frame.putInt(destination);
        frame.putShort((short) 0xC000).putShort((short) 7);
        frame.putShort((short) (bytes.length - IP_OFFSET - 20)).putShort((short) 0);
        frame.put(content);
        frame.putShort(IP_OFFSET + 10, checksum(frame, IP_OFFSET, 20));
        return bytes;
    }

    private static void putMac(ByteBuffer frame, long mac) {
        frame.putShort((short) (mac >>> 32)).putInt((int) mac);
    }

    private static short checksum(ByteBuffer frame, int offset, int lengthBytes) {
        int sum = 0;
        for (int at = 0; at < lengthBytes; at += 2) {
            sum += frame.getShort(offset + at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (short) ~((sum & 0xFFFF) + (sum >>> 16));
    }
}
