package io.headgate.dataplane.runner;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import java.nio.ByteBuffer;

/** The frames that a warm-up sends: of several sizes, IPv4 and IPv6, to hosts known and unknown. */
public final class WarmUpFrames {
    /** Number of frames of each port. */
    private static final int FRAMES = 16;

    private static final int[] LENGTHS = {62, 124, 508, 1514};
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final long HOST = 0x0200_0000_0000L;
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final byte UDP = 17;
    private static final short ROCE_PORT = 4791;
    private static final int TOS_OFFSET = ETHERNET_BYTES + 1;
    private static final byte LOSSLESS_DSCP = 26;

    private WarmUpFrames() {}

    /** The MAC address of the host at a port. */
    static long mac(int port) {
        return HOST + port;
    }

    /** The network of a port, in 10.0.0.0/8: the switch is .1 and the host .2. */
    static int ipv4(int port, int host) {
        return 0x0A00_0000 | port << 8 | host;
    }

    /** The upper half of the address of the host at a port, in fd00::/8. */
    static long ipv6High(int port) {
        return 0xFD00_0000_0000_0000L | port;
    }

    /**
     * The frames that the host at a port sends: most to known hosts, one in sixteen to an unknown
     * one, one to all.
     */
    static byte[][] from(SwitchConfig config, int port) {
        int ports = config.ports().size();
        boolean routed = config.mode() == SwitchConfig.Mode.ROUTED;
        byte[][] own = new byte[FRAMES][];
        for (int i = 0; i < FRAMES; i++) {
            int to = (port + 1 + i % Math.max(1, ports - 1)) % ports;
            long destination = routed ? SwitchAddresses.mac(config.name(), port) : mac(to);
            if (i == 0) {
                destination = BROADCAST;
            } else if (i == 1 && !routed) {
                destination = mac(0xFF00 + port);
            }
            PortConfig.VlanConfig vlan = PortConfig.VlanConfig.DEFAULT;
            assert config.ports().get(port).vlan().equals(vlan) : "frames without a tag";
            own[i] = frame(destination, port, to, LENGTHS[i % LENGTHS.length], i % 3 == 2);
        }
        return own;
    }

    /** A frame from one host to another in priority 3, for ports that classify by DSCP. */
    public static byte[] lossless(int from, int to) {
        byte[] frame = frame(mac(to), from, to, LENGTHS[LENGTHS.length - 1], false);
        frame[TOS_OFFSET] = LOSSLESS_DSCP << 2;
        return frame;
    }

    private static byte[] frame(long mac, int from, int to, int lengthBytes, boolean ipv6) {
        ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
        frame.putShort((short) (mac >>> 32)).putInt((int) mac);
        frame.putShort((short) (mac(from) >>> 32)).putInt((int) mac(from));
        int udpBytes = lengthBytes - ETHERNET_BYTES - (ipv6 ? IPV6_BYTES : IPV4_BYTES);
        if (ipv6) {
            frame.putShort((short) 0x86DD).putInt(6 << 28);
            frame.putShort((short) udpBytes).put(UDP).put((byte) 64);
            frame.putLong(ipv6High(from)).putLong(2).putLong(ipv6High(to)).putLong(2);
        } else {
            frame.putShort((short) 0x0800).putShort((short) 0x4500);
            frame.putShort((short) (IPV4_BYTES + udpBytes)).putInt(0).put((byte) 64).put(UDP);
            frame.putShort((short) 0).putInt(ipv4(from, 2)).putInt(ipv4(to, 2));
            frame.putShort(ETHERNET_BYTES + 10, checksum(frame));
        }
        frame.putShort(ROCE_PORT).putShort(ROCE_PORT).putShort((short) udpBytes);
        return frame.array();
    }

    /** The checksum of the IPv4 header, with its own field still zero (RFC 1071). */
    private static short checksum(ByteBuffer frame) {
        int sum = 0;
        for (int at = ETHERNET_BYTES; at < ETHERNET_BYTES + IPV4_BYTES; at += 2) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (short) ~((sum & 0xFFFF) + (sum >>> 16));
    }
}
