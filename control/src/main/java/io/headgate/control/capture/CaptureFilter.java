package io.headgate.control.capture;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
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
import org.jspecify.annotations.Nullable;

/**
 * Decides which frames a capture keeps. Filters are written in the language of pcap-filter(7):
 *
 * <pre>
 *   [src|dst] host ADDRESS          IPv4, IPv6 or ARP; without src or dst on either side
 *   [src|dst] net ADDRESS/LENGTH    the same for a network
 *   [src|dst] port NUMBER           UDP or TCP; portrange FIRST-LAST is the same for a range
 *   ether [src|dst] host MAC
 *   ip, ip6, arp, udp, tcp, icmp, pause, pfc, or the same behind proto
 *   vlan [NUMBER]                   the outer tag carries this VLAN, or any
 *   less BYTES, greater BYTES       at most, at least this length
 * </pre>
 *
 * <p>joined by {@code and}, {@code or} (of the same rank, from left to right), {@code not} and
 * parentheses; a protocol may precede what it qualifies, as in {@code tcp dst port 80}.
 *
 * <p>Not shared between threads.
 */
public final class CaptureFilter {
    private static final int ARP_SENDER_OFFSET = 16;
    private static final int ARP_TARGET_OFFSET = 26;
    private static final int ARP_BYTES = 30;
    private static final int PAUSE = 0x0001;
    private static final int PFC = 0x0101;

    private final @Nullable FilterTerm term;
    private final FrameRegion scratch;
    private final MemorySegment segment;
    private final Frame frame;
    private long transport = Ipv6.NO_TRANSPORT;

    private CaptureFilter(@Nullable FilterTerm term, SlotMemory memory) {
        this.term = term;
        this.scratch = new FrameRegion(1, 2048, false, memory);
        this.segment = scratch.segment();
        this.frame = scratch.frame(0);
    }

    /**
     * Reads a filter.
     *
     * @param text as described above; empty keeps every frame
     * @param memory memory for the frame that is checked
     * @throws CaptureException if it is not understood, with what is allowed
     */
    public static CaptureFilter parse(String text, SlotMemory memory) throws CaptureException {
        return new CaptureFilter(FilterReader.read(text), memory);
    }

    /**
     * Checks whether a filter can be read.
     *
     * @throws CaptureException if it is not understood, with what is allowed
     */
    public static void check(String text) throws CaptureException {
        FilterReader.read(text);
    }

    /** Whether a filter may begin with this word. */
    public static boolean isWord(String word) {
        return FilterReader.isWord(word);
    }

    /**
     * Whether the filter keeps a frame. Reads at most its first 1,728 bytes.
     *
     * @param data the frame's first {@code capturedBytes} bytes
     */
    public boolean accepts(byte[] data, int capturedBytes, int lengthBytes) {
        FilterTerm all = term;
        if (all == null) {
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
        return holds(all);
    }

    private boolean holds(FilterTerm one) {
        return switch (one) {
            case FilterTerm.Both(FilterTerm a, FilterTerm b) -> holds(a) && holds(b);
            case FilterTerm.Either(FilterTerm a, FilterTerm b) -> holds(a) || holds(b);
            case FilterTerm.Not(FilterTerm a) -> !holds(a);
            case FilterTerm.Protocol(FilterTerm.Name name) -> is(name);
            case FilterTerm.Net4 net -> hasNet4(net);
            case FilterTerm.Net6 net -> hasNet6(net);
            case FilterTerm.Mac(FilterTerm.Side side, long mac) ->
                    (side.source() && Ethernet.source(segment, frame.dataOffset) == mac)
                            || (side.destination()
                                    && Ethernet.destination(segment, frame.dataOffset) == mac);
            case FilterTerm.Ports ports -> hasPort(ports);
            case FilterTerm.Vlan(int number) ->
                    frame.tagged && (number < 0 || frame.vlan == number);
            case FilterTerm.Length(int least, int most) ->
                    frame.lengthBytes >= least && frame.lengthBytes <= most;
        };
    }

    private boolean is(FilterTerm.Name name) {
        return switch (name) {
            case IP -> isIpv4();
            case IP6 -> isIpv6();
            case UDP -> protocol() == IpProtocol.UDP;
            case TCP -> protocol() == IpProtocol.TCP;
            case ICMP -> protocol() == IpProtocol.ICMP || protocol() == IpProtocol.ICMPV6;
            case ARP -> frame.etherType == EtherType.ARP;
            case PAUSE -> isMacControl(PAUSE);
            case PFC -> isMacControl(PFC);
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

    private boolean hasPort(FilterTerm.Ports ports) {
        if (frame.transportOffset == Frame.ABSENT || !IpProtocol.hasPorts(protocol())) {
            return false;
        }
        long at = frame.dataOffset + frame.transportOffset;
        return (ports.side().source() && ports.has(Wire.u16(segment, at)))
                || (ports.side().destination() && ports.has(Wire.u16(segment, at + 2)));
    }

    private boolean hasNet4(FilterTerm.Net4 net) {
        if (isIpv4()) {
            return (net.side().source() && net.has(Ipv4.source(segment, ip())))
                    || (net.side().destination() && net.has(Ipv4.destination(segment, ip())));
        }
        int type = frame.etherTypeOffset;
        if (frame.etherType != EtherType.ARP || frame.storedBytes < type + ARP_BYTES) {
            return false;
        }
        long arp = frame.dataOffset + type;
        return (net.side().source() && net.has(Wire.i32(segment, arp + ARP_SENDER_OFFSET)))
                || (net.side().destination()
                        && net.has(Wire.i32(segment, arp + ARP_TARGET_OFFSET)));
    }

    private boolean hasNet6(FilterTerm.Net6 net) {
        if (!isIpv6()) {
            return false;
        }
        return (net.side().source()
                        && net.has(Ipv6.sourceHigh(segment, ip()), Ipv6.sourceLow(segment, ip())))
                || (net.side().destination()
                        && net.has(
                                Ipv6.destinationHigh(segment, ip()),
                                Ipv6.destinationLow(segment, ip())));
    }

    private boolean isMacControl(int opcode) {
        int type = frame.etherTypeOffset;
        return frame.etherType == EtherType.MAC_CONTROL
                && frame.storedBytes >= type + 4
                && Wire.u16(segment, frame.dataOffset + type + 2) == opcode;
    }
}
