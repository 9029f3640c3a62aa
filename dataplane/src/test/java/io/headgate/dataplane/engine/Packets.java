package io.headgate.dataplane.engine;

import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Frames as others would write them, byte by byte and with checksums of their own computing, so
 * that they can bear witness about ours.
 */
public final class Packets {
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    static final int IPV4 = 0x0800;
    static final int ARP = 0x0806;
    static final int IPV6 = 0x86DD;
    static final int ICMP = 1;
    static final int UDP = 17;
    static final int ICMPV6 = 58;

    private Packets() {}

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] mac(long mac) {
        return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(mac).array(), 2, 8);
    }

    static byte[] ip(String address) {
        // Otherwise each IPv6 address is first refused as an IPv4 address, by an exception.
        return address.indexOf(':') < 0
                ? Inet4Address.ofLiteral(address).getAddress()
                : Inet6Address.ofLiteral(address).getAddress();
    }

    static byte[] words(int... words) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * words.length);
        for (int word : words) {
            buffer.putShort((short) word);
        }
        return buffer.array();
    }

    /** A frame, padded to 60 bytes. */
    static byte[] ethernet(long destination, long source, int type, byte[] payload) {
        byte[] frame = join(mac(destination), mac(source), words(type), payload);
        return frame.length < 60 ? Arrays.copyOf(frame, 60) : frame;
    }

    static byte[] arp(int operation, long senderMac, String sender, long targetMac, String target) {
        return join(
                words(1, 0x0800, 0x0604, operation),
                mac(senderMac),
                ip(sender),
                mac(targetMac),
                ip(target));
    }

    static byte[] ipv4(String source, String destination, int ttl, int protocol, byte[] payload) {
        return ipv4(source, destination, ttl, protocol, 0x4000, payload);
    }

    static byte[] ipv4(
            String source, String destination, int ttl, int protocol, int flags, byte[] payload) {
        byte[] header =
                join(
                        words(0x4500, 20 + payload.length, 0, flags, (ttl << 8) | protocol, 0),
                        ip(source),
                        ip(destination));
        return join(withChecksum(header, 10, 0), payload);
    }

    static byte[] ipv6(String source, String destination, int hopLimit, int next, byte[] payload) {
        return join(
                words(0x6000, 0, payload.length, (next << 8) | hopLimit),
                ip(source),
                ip(destination),
                payload);
    }

    static byte[] echo(int type, int id, int sequence, byte[] data) {
        return withChecksum(join(words(type << 8, 0, id, sequence), data), 2, 0);
    }

    static byte[] icmp(int type, int code, int rest, byte[] data) {
        byte[] header = words((type << 8) | code, 0, rest >>> 16, rest);
        return withChecksum(join(header, data), 2, 0);
    }

    static byte[] icmpv6(String source, String destination, byte[] message) {
        long pseudo = sum(ip(source)) + sum(ip(destination)) + ICMPV6 + message.length;
        return withChecksum(message, 2, pseudo);
    }

    static byte[] echo6(String source, String destination, int type, int sequence, byte[] data) {
        return icmpv6(source, destination, join(words(type << 8, 0, 7, sequence), data));
    }

    /** A neighbour solicitation or advertisement with the sender's MAC address. */
    static byte[] discovery(
            String source, String destination, int type, int flags, String target, long mac) {
        int option = type == 135 ? 0x0101 : 0x0201;
        byte[] head = words(type << 8, 0, flags << 8, 0);
        byte[] message = join(head, ip(target), words(option), mac(mac));
        return icmpv6(source, destination, message);
    }

    static byte[] udp(int source, int destination, byte[] data) {
        return join(words(source, destination, 8 + data.length, 0), data);
    }

    static byte[] withChecksum(byte[] message, int at, long pseudo) {
        byte[] copy = message.clone();
        ByteBuffer.wrap(copy).putShort(at, (short) 0);
        long sum = sum(copy) + pseudo;
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        ByteBuffer.wrap(copy).putShort(at, (short) ~sum);
        return copy;
    }

    private static long sum(byte[] bytes) {
        long sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += (long) (bytes[i] & 0xFF) << (i % 2 == 0 ? 8 : 0);
        }
        return sum;
    }
}
