package io.headgate.control.capture;

import io.headgate.config.Addresses;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.MacAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Describes a frame in one line, similar to tcpdump(8); priority flow control is spelt out. */
public final class FrameText {
    private static final int TAG = 0x8100;
    private static final int SERVICE_TAG = 0x88A8;
    private static final int PAUSE = 0x0001;
    private static final int PFC = 0x0101;
    private static final int CREDITS = 0x88B5;
    private static final int VLAN_MASK = 0x0FFF;
    private static final int FRAGMENT_MASK = 0x1FFF;
    private static final int IPV4_WORD_MASK = 0x0F;
    private static final String[] ECN = {"", "ect1", "ect0", "ce"};
    private static final String FLAGS = "FSRP.";

    private FrameText() {}

    /**
     * Describes a frame, whatever its bytes are.
     *
     * @param data its first bytes, from the destination address on
     * @param lengthBytes its whole length, without FCS
     */
    public static String describe(byte[] data, int lengthBytes) {
        StringBuilder text = new StringBuilder();
        try {
            ethernet(ByteBuffer.wrap(data), text);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            text.append(" (cut short)");
        }
        return text.append(", ").append(lengthBytes).append(" bytes").toString();
    }

    private static void ethernet(ByteBuffer in, StringBuilder text) {
        long destination = mac(in);
        long source = mac(in);
        text.append(MacAddress.format(source)).append(" > ").append(MacAddress.format(destination));
        int type = in.getShort() & 0xFFFF;
        while (type == TAG || type == SERVICE_TAG) {
            int tag = in.getShort() & 0xFFFF;
            text.append(", vlan ").append(tag & VLAN_MASK).append(" pcp ").append(tag >>> 13);
            type = in.getShort() & 0xFFFF;
        }
        text.append(", ");
        switch (type) {
            case EtherType.IPV4 -> ipv4(in, text);
            case EtherType.IPV6 -> ipv6(in, text);
            case EtherType.ARP -> arp(in, text);
            case EtherType.MAC_CONTROL -> control(in, text);
            case CREDITS -> text.append("credits of flow control");
            default -> text.append(String.format(Locale.ROOT, "EtherType 0x%04x", type));
        }
    }

    private static long mac(ByteBuffer in) {
        return ((long) (in.getShort() & 0xFFFF) << Integer.SIZE) | (in.getInt() & 0xFFFF_FFFFL);
    }

    private static void control(ByteBuffer in, StringBuilder text) {
        int opcode = in.getShort() & 0xFFFF;
        if (opcode == PAUSE) {
            text.append("PAUSE ").append(quanta(in.getShort() & 0xFFFF));
        } else if (opcode == PFC) {
            int enabled = in.getShort();
            StringJoiner all = new StringJoiner(", ", "PFC ", "");
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                int time = in.getShort() & 0xFFFF;
                if ((enabled & (1 << priority)) != 0) {
                    all.add("priority " + priority + " " + quanta(time));
                }
            }
            text.append(all);
        } else {
            text.append(String.format(Locale.ROOT, "MAC control, opcode 0x%04x", opcode));
        }
    }

    private static String quanta(int quanta) {
        return quanta == 0 ? "resume" : "pause for " + quanta + " quanta";
    }

    private static void arp(ByteBuffer in, StringBuilder text) {
        in.position(in.position() + 6);
        int operation = in.getShort();
        long senderMac = mac(in);
        String sender = address(in, Integer.BYTES);
        mac(in);
        String target = address(in, Integer.BYTES);
        text.append(
                operation == 1
                        ? "ARP: who has " + target + ", tell " + sender
                        : "ARP: " + sender + " is at " + MacAddress.format(senderMac));
    }

    private static void ipv4(ByteBuffer in, StringBuilder text) {
        int start = in.position();
        int headerBytes = (in.get() & IPV4_WORD_MASK) * Integer.BYTES;
        int trafficClass = in.get() & 0xFF;
        in.getInt();
        boolean isFragment = (in.getShort() & FRAGMENT_MASK) != 0;
        in.get();
        int protocol = in.get() & 0xFF;
        in.getShort();
        String source = address(in, Integer.BYTES);
        String destination = address(in, Integer.BYTES);
        in.position(start + headerBytes);
        transport(in, "IP", source, destination, isFragment ? -1 : protocol, text);
        trafficClass(trafficClass, text);
    }

    private static void ipv6(ByteBuffer in, StringBuilder text) {
        int trafficClass = (in.getInt() >>> 20) & 0xFF;
        in.getShort();
        int protocol = in.get() & 0xFF;
        in.get();
        String source = address(in, 2 * Long.BYTES);
        String destination = address(in, 2 * Long.BYTES);
        transport(in, "IP6", source, destination, protocol, text);
        trafficClass(trafficClass, text);
    }

    private static void trafficClass(int value, StringBuilder text) {
        if (value >>> 2 != 0) {
            text.append(", dscp ").append(value >>> 2);
        }
        if ((value & 3) != 0) {
            text.append(", ").append(ECN[value & 3]);
        }
    }

    private static String address(ByteBuffer in, int bytes) {
        byte[] address = new byte[bytes];
        in.get(address);
        return Addresses.address(address).getHostAddress();
    }

    private static void transport(
            ByteBuffer in,
            String ip,
            String source,
            String destination,
            int protocol,
            StringBuilder text) {
        if (protocol == IpProtocol.UDP || protocol == IpProtocol.TCP) {
            int sourcePort = in.getShort() & 0xFFFF;
            int destinationPort = in.getShort() & 0xFFFF;
            text.append(ip).append(' ').append(source).append('.').append(sourcePort);
            text.append(" > ").append(destination).append('.').append(destinationPort);
            if (protocol == IpProtocol.UDP) {
                text.append(": UDP, length ").append((in.getShort() & 0xFFFF) - Long.BYTES);
            } else {
                text.append(": TCP ").append(flags(in));
            }
            return;
        }
        text.append(ip).append(' ').append(source).append(" > ").append(destination).append(": ");
        if (protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6) {
            text.append("ICMP type ").append(in.get() & 0xFF);
        } else {
            text.append(protocol < 0 ? "fragment" : "protocol " + protocol);
        }
    }

    private static String flags(ByteBuffer in) {
        long sequence = in.getInt() & 0xFFFF_FFFFL;
        long acknowledged = in.getInt() & 0xFFFF_FFFFL;
        in.get();
        int flags = in.get();
        String names =
                IntStream.range(0, FLAGS.length())
                        .filter(bit -> (flags >>> bit & 1) != 0)
                        .mapToObj(bit -> FLAGS.substring(bit, bit + 1))
                        .collect(Collectors.joining("", "[", "]"));
        return names + ", seq " + sequence + ", ack " + acknowledged;
    }
}
