package io.headgate.control.capture;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which frames a capture keeps: terms joined by {@code and}, all of which must hold.
 *
 * <pre>
 *   host ADDRESS    IPv4, IPv6 or ARP with this address on either side
 *   port NUMBER     UDP or TCP with this port on either side
 *   proto NAME      udp, tcp, icmp (either version), arp, pause, pfc
 *   vlan NUMBER     the outer tag carries this VLAN
 * </pre>
 *
 * <p>Not shared between threads.
 */
public final class CaptureFilter {
    private static final String ALLOWED =
            "allowed are 'host ADDRESS', 'port NUMBER', 'proto udp|tcp|icmp|arp|pause|pfc' and"
                    + " 'vlan NUMBER', joined by 'and'";
    private static final int ARP_SENDER_OFFSET = 16;
    private static final int ARP_TARGET_OFFSET = 26;
    private static final int ARP_BYTES = 30;
    private static final int PAUSE = 0x0001;
    private static final int PFC = 0x0101;

    private enum Kind {
        HOST4,
        HOST6,
        PORT,
        UDP,
        TCP,
        ICMP,
        ARP,
        PAUSE,
        PFC,
        VLAN
    }

    private record Term(Kind kind, long value, long high) {}

    private final List<Term> terms;
    private final FrameRegion scratch;
    private final MemorySegment segment;
    private final Frame frame;
    private long transport = Ipv6.NO_TRANSPORT;

    private CaptureFilter(List<Term> terms, SlotMemory memory) {
        this.terms = terms;
        this.scratch = new FrameRegion(1, 2048, false, memory);
        this.segment = scratch.segment();
        this.frame = scratch.frame(0);
    }

    /**
     * Reads a filter.
     *
     * @param text as described above; empty keeps every frame
     * @param memory for the frame that is looked at
     * @throws CaptureException if it is not understood, with what is allowed
     */
    public static CaptureFilter parse(String text, SlotMemory memory) throws CaptureException {
        return new CaptureFilter(terms(text), memory);
    }

    /**
     * Only reads a filter.
     *
     * @throws CaptureException if it is not understood, with what is allowed
     */
    public static void check(String text) throws CaptureException {
        terms(text);
    }

    private static List<Term> terms(String text) throws CaptureException {
        List<Term> terms = new ArrayList<>();
        String[] words = text.strip().split("\\s+", -1);
        if (words.length == 1 && words[0].isEmpty()) {
            return List.of();
        }
        for (int at = 0; at < words.length; at += 3) {
            if (at + 1 >= words.length) {
                throw bad(text, "'" + words[at] + "' needs a value behind it");
            }
            terms.add(term(text, words[at], words[at + 1]));
            if (at + 2 < words.length && !words[at + 2].equalsIgnoreCase("and")) {
                throw bad(text, "'" + words[at + 2] + "' stands where 'and' is expected");
            }
            if (at + 3 == words.length) {
                throw bad(text, "nothing follows the last 'and'");
            }
        }
        return List.copyOf(terms);
    }

    private static Term term(String text, String word, String value) throws CaptureException {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "host" -> host(text, value);
            case "port" -> new Term(Kind.PORT, number(text, value, 65535), 0);
            case "vlan" -> new Term(Kind.VLAN, number(text, value, 4094), 0);
            case "proto" ->
                    switch (value.toLowerCase(Locale.ROOT)) {
                        case "udp" -> new Term(Kind.UDP, 0, 0);
                        case "tcp" -> new Term(Kind.TCP, 0, 0);
                        case "icmp" -> new Term(Kind.ICMP, 0, 0);
                        case "arp" -> new Term(Kind.ARP, 0, 0);
                        case "pause" -> new Term(Kind.PAUSE, 0, 0);
                        case "pfc" -> new Term(Kind.PFC, 0, 0);
                        default -> throw bad(text, "'" + value + "' is no known protocol");
                    };
            default -> throw bad(text, "'" + word + "' is no known word");
        };
    }

    private static Term host(String text, String value) throws CaptureException {
        try {
            byte[] address = InetAddress.ofLiteral(value).getAddress();
            ByteBuffer bytes = ByteBuffer.wrap(address);
            return address.length == 4
                    ? new Term(Kind.HOST4, bytes.getInt(), 0)
                    : new Term(Kind.HOST6, bytes.getLong(8), bytes.getLong(0));
        } catch (IllegalArgumentException notAnAddress) {
            throw bad(text, "'" + value + "' is no IPv4 or IPv6 address");
        }
    }

    private static int number(String text, String value, int most) throws CaptureException {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, in the words of this filter.
        }
        throw bad(text, "'" + value + "' is no number from 0 to " + most);
    }

    private static CaptureException bad(String text, String what) {
        return new CaptureException("capture filter '" + text + "': " + what + "; " + ALLOWED);
    }

    /**
     * Whether a frame is to be kept. Looks at no more than its first 1,728 bytes.
     *
     * @param data the frame's first {@code capturedBytes} bytes
     */
    public boolean accepts(byte[] data, int capturedBytes, int lengthBytes) {
        if (terms.isEmpty()) {
            return true;
        }
        int stored = Math.min(capturedBytes, scratch.maxFrameBytes());
        MemorySegment.copy(data, 0, segment, ValueLayout.JAVA_BYTE, frame.dataOffset, stored);
        frame.storedBytes = stored;
        frame.lengthBytes = lengthBytes;
        if (HeaderParser.parse(segment, frame) != null) {
            return false;
        }
        transport = transport();
        for (Term term : terms) {
            if (!holds(term)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Term term) {
        return switch (term.kind) {
            case HOST4 -> hasHost4((int) term.value);
            case HOST6 -> hasHost6(term.high, term.value);
            case PORT -> hasPort((int) term.value);
            case UDP -> protocol() == IpProtocol.UDP;
            case TCP -> protocol() == IpProtocol.TCP;
            case ICMP -> protocol() == IpProtocol.ICMP || protocol() == IpProtocol.ICMPV6;
            case ARP -> frame.etherType == EtherType.ARP;
            case PAUSE -> isMacControl(PAUSE);
            case PFC -> isMacControl(PFC);
            case VLAN -> frame.tagged && frame.vlan == term.value;
        };
    }

    private boolean isIpv4() {
        return frame.ipOffset != Frame.ABSENT && frame.etherType == EtherType.IPV4;
    }

    private boolean isIpv6() {
        return frame.ipOffset != Frame.ABSENT && frame.etherType == EtherType.IPV6;
    }

    private long ip() {
        return frame.dataOffset + frame.ipOffset;
    }

    private long transport() {
        return isIpv6()
                ? Ipv6.transport(segment, ip(), frame.storedBytes - frame.ipOffset)
                : Ipv6.NO_TRANSPORT;
    }

    private int protocol() {
        if (isIpv4()) {
            return Ipv4.protocol(segment, ip());
        }
        return isIpv6() && transport != Ipv6.NO_TRANSPORT ? Ipv6.transportProtocol(transport) : -1;
    }

    private boolean hasPort(int port) {
        if (frame.transportOffset == Frame.ABSENT || !IpProtocol.hasPorts(protocol())) {
            return false;
        }
        long at = frame.dataOffset + frame.transportOffset;
        return Wire.u16(segment, at) == port || Wire.u16(segment, at + 2) == port;
    }

    private boolean hasHost4(int address) {
        if (isIpv4()) {
            return Ipv4.source(segment, ip()) == address
                    || Ipv4.destination(segment, ip()) == address;
        }
        int type = frame.etherTypeOffset;
        if (frame.etherType != EtherType.ARP || frame.storedBytes < type + ARP_BYTES) {
            return false;
        }
        long arp = frame.dataOffset + type;
        return Wire.i32(segment, arp + ARP_SENDER_OFFSET) == address
                || Wire.i32(segment, arp + ARP_TARGET_OFFSET) == address;
    }

    private boolean hasHost6(long high, long low) {
        if (!isIpv6()) {
            return false;
        }
        return (Ipv6.sourceHigh(segment, ip()) == high && Ipv6.sourceLow(segment, ip()) == low)
                || (Ipv6.destinationHigh(segment, ip()) == high
                        && Ipv6.destinationLow(segment, ip()) == low);
    }

    private boolean isMacControl(int opcode) {
        int type = frame.etherTypeOffset;
        return frame.etherType == EtherType.MAC_CONTROL
                && frame.storedBytes >= type + 4
                && Wire.u16(segment, frame.dataOffset + type + 2) == opcode;
    }
}
