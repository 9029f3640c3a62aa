package io.headgate.dataplane.frame;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/** Says what our views see in a frame, in tshark's words and formats. */
final class TsharkFields {
    // tshark's words for checksums that are neither good (1) nor bad (0).
    private static final int UNVERIFIED = 2;
    private static final int NOT_PRESENT = 3;
    private static final int ILLEGAL = 4;

    private final SortedMap<String, String> fields = new TreeMap<>();
    private final MemorySegment segment;
    private final Frame frame;

    private TsharkFields(MemorySegment segment, Frame frame) {
        this.segment = segment;
        this.frame = frame;
    }

    /** The fields of a frame that {@link HeaderParser} has accepted. */
    static SortedMap<String, String> of(MemorySegment segment, Frame frame) {
        TsharkFields observed = new TsharkFields(segment, frame);
        observed.ethernet();
        return observed.fields;
    }

    private void ethernet() {
        long start = frame.dataOffset;
        fields.put("eth.dst", MacAddress.format(Ethernet.destination(segment, start)));
        fields.put("eth.src", MacAddress.format(Ethernet.source(segment, start)));
        hex("eth.type", Ethernet.etherType(segment, start), 4);
        for (int tag = 12; tag < frame.etherTypeOffset; tag += Vlan.TAG_BYTES) {
            int tci = Vlan.tci(segment, start + tag);
            add("vlan.id", Integer.toString(Vlan.id(tci)));
            add("vlan.priority", Integer.toString(Vlan.priority(tci)));
            add("vlan.dei", Vlan.dropEligible(tci) ? "1" : "0");
            String type = HexFormat.of().toHexDigits(Vlan.etherType(segment, start + tag), 4);
            add("vlan.etype", "0x" + type);
        }
        int available = frame.lengthBytes - frame.etherTypeOffset - 2;
        long payload = start + frame.etherTypeOffset + 2;
        if (frame.etherType == EtherType.ARP && Arp.isValid(segment, payload, available)) {
            arp(payload);
        } else if (MacControl.isValid(segment, start, frame.lengthBytes)) {
            macControl(start);
        } else if (frame.ipOffset != Frame.ABSENT && frame.etherType == EtherType.IPV4) {
            ipv4(start + frame.ipOffset);
        } else if (frame.ipOffset != Frame.ABSENT) {
            ipv6(start + frame.ipOffset);
        }
    }

    private void arp(long arp) {
        number("arp.opcode", Arp.operation(segment, arp));
        fields.put("arp.src.hw_mac", MacAddress.format(Arp.senderMac(segment, arp)));
        fields.put("arp.src.proto_ipv4", ipv4Text(Arp.senderIp(segment, arp)));
        fields.put("arp.dst.hw_mac", MacAddress.format(Arp.targetMac(segment, arp)));
        fields.put("arp.dst.proto_ipv4", ipv4Text(Arp.targetIp(segment, arp)));
    }

    private void macControl(long start) {
        hex("macc.opcode", MacControl.opcode(segment, start), 4);
        if (MacControl.isPause(segment, start, frame.lengthBytes)) {
            number("macc.pause_time", MacControl.pauseQuanta(segment, start));
        }
        if (!MacControl.isPfc(segment, start, frame.lengthBytes)) {
            return;
        }
        hex("macc.cbfc.enbv", MacControl.enabled(segment, start), 4);
        for (int priority = 0; priority < PRIORITIES; priority++) {
            String name = "macc.cbfc.pause_time.c" + priority;
            number(name, MacControl.quanta(segment, start, priority));
        }
    }

    private void ipv4(long ip) {
        number("ip.version", Ipv4.version(segment, ip));
        number("ip.hdr_len", Ipv4.headerBytes(segment, ip));
        hex("ip.dsfield", (Ipv4.dscp(segment, ip) << 2) | Ipv4.ecn(segment, ip), 2);
        number("ip.len", Ipv4.totalBytes(segment, ip));
        hex("ip.id", Ipv4.identification(segment, ip), 4);
        flag("ip.flags.df", Ipv4.dontFragment(segment, ip));
        flag("ip.flags.mf", Ipv4.moreFragments(segment, ip));
        // tshark 4.0 counts in units of eight bytes here.
        number("ip.frag_offset", Ipv4.fragmentOffsetBytes(segment, ip) / 8);
        number("ip.ttl", Ipv4.ttl(segment, ip));
        number("ip.proto", Ipv4.protocol(segment, ip));
        hex("ip.checksum", Ipv4.checksum(segment, ip), 4);
        flag("ip.checksum.status", Ipv4.isChecksumRight(segment, ip));
        fields.put("ip.src", ipv4Text(Ipv4.source(segment, ip)));
        fields.put("ip.dst", ipv4Text(Ipv4.destination(segment, ip)));
        if (frame.transportOffset == Frame.ABSENT) {
            return;
        }
        long transport = frame.dataOffset + frame.transportOffset;
        int available = (int) (ip + Ipv4.totalBytes(segment, ip) - transport);
        transport(ip, transport, Ipv4.protocol(segment, ip), available);
    }

    private void ipv6(long ip) {
        number("ip.version", Ipv6.version(segment, ip));
        number("ipv6.version", Ipv6.version(segment, ip));
        hex("ipv6.tclass", (Ipv6.dscp(segment, ip) << 2) | Ipv6.ecn(segment, ip), 8);
        hex("ipv6.flow", Ipv6.flowLabel(segment, ip), 6);
        number("ipv6.plen", Ipv6.payloadBytes(segment, ip));
        number("ipv6.nxt", Ipv6.nextHeader(segment, ip));
        number("ipv6.hlim", Ipv6.hopLimit(segment, ip));
        long high = Ipv6.sourceHigh(segment, ip);
        fields.put("ipv6.src", ipv6Text(high, Ipv6.sourceLow(segment, ip)));
        high = Ipv6.destinationHigh(segment, ip);
        fields.put("ipv6.dst", ipv6Text(high, Ipv6.destinationLow(segment, ip)));
        if (frame.transportOffset == Frame.ABSENT) {
            return;
        }
        long transport = frame.dataOffset + frame.transportOffset;
        int packet = Ipv6.HEADER_BYTES + Ipv6.payloadBytes(segment, ip);
        long found = Ipv6.transport(segment, ip, packet);
        int available = (int) (ip + packet - transport);
        transport(ip, transport, Ipv6.transportProtocol(found), available);
    }

    private void transport(long ip, long transport, int protocol, int available) {
        if (protocol == IpProtocol.UDP && isDatagram(ip, transport, available)) {
            udp(ip, transport);
        } else if (protocol == IpProtocol.TCP && Tcp.isValid(segment, transport, available)) {
            tcp(ip, transport, available);
        } else if (protocol == IpProtocol.ICMP && available >= Icmp.HEADER_BYTES) {
            number("icmp.type", Icmp.type(segment, transport));
            number("icmp.code", Icmp.code(segment, transport));
            hex("icmp.checksum", Icmp.checksum(segment, transport), 4);
            boolean right = Icmp.isChecksumRightIpv4(segment, transport, available);
            flag("icmp.checksum.status", right);
            number("icmp.ident", Icmp.identifier(segment, transport));
            number("icmp.seq", Icmp.sequence(segment, transport));
        } else if (protocol == IpProtocol.ICMPV6 && available >= Icmp.HEADER_BYTES) {
            icmpv6(ip, transport, available);
        }
    }

    /** A first fragment shows its header, though the datagram is not there whole. */
    private boolean isDatagram(long ip, long udp, int available) {
        boolean fragment = frame.etherType == EtherType.IPV4 && Ipv4.isFragment(segment, ip);
        return fragment || Udp.isValid(segment, udp, available);
    }

    private void udp(long ip, long udp) {
        number("udp.srcport", Udp.sourcePort(segment, udp));
        number("udp.dstport", Udp.destinationPort(segment, udp));
        number("udp.length", Udp.lengthBytes(segment, udp));
        int checksum = Udp.checksum(segment, udp);
        hex("udp.checksum", checksum, 4);
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        if (isIpv4 && Ipv4.isFragment(segment, ip)) {
            number("udp.checksum.status", UNVERIFIED);
            return;
        }
        boolean right =
                isIpv4
                        ? UdpChecksums.isChecksumRightIpv4(segment, ip, udp)
                        : UdpChecksums.isChecksumRightIpv6(segment, ip, udp);
        int status = right ? 1 : 0;
        if (checksum == 0) {
            status = isIpv4 ? NOT_PRESENT : ILLEGAL;
        }
        number("udp.checksum.status", status);
        long bth = udp + Udp.HEADER_BYTES;
        int payload = Udp.lengthBytes(segment, udp) - Udp.HEADER_BYTES;
        if (Udp.destinationPort(segment, udp) == Bth.UDP_PORT
                && Bth.isValid(segment, bth, payload)) {
            bth(ip, bth);
        }
    }

    private void bth(long ip, long bth) {
        number("infiniband.bth.opcode", Bth.opcode(segment, bth));
        flag("infiniband.bth.se", Bth.solicitedEvent(segment, bth));
        flag("infiniband.bth.m", Bth.migration(segment, bth));
        number("infiniband.bth.padcnt", Bth.padBytes(segment, bth));
        number("infiniband.bth.tver", Bth.version(segment, bth));
        number("infiniband.bth.p_key", Bth.partitionKey(segment, bth));
        hex("infiniband.bth.destqp", Bth.destinationQp(segment, bth), 6);
        flag("infiniband.bth.a", Bth.ackRequest(segment, bth));
        number("infiniband.bth.psn", Bth.sequence(segment, bth));
        int icrc = Icrc.locate(segment, ip, frame.lengthBytes - frame.ipOffset);
        if (icrc != Icrc.ABSENT) {
            // tshark shows the bytes in the order of the wire.
            int wire = Integer.reverseBytes(Icrc.read(segment, ip, icrc));
            fields.put("infiniband.invariant.crc", "0x" + HexFormat.of().toHexDigits(wire));
        }
    }

    private void tcp(long ip, long tcp, int available) {
        number("tcp.srcport", Tcp.sourcePort(segment, tcp));
        number("tcp.dstport", Tcp.destinationPort(segment, tcp));
        number("tcp.seq_raw", Tcp.sequence(segment, tcp));
        number("tcp.ack_raw", Tcp.acknowledgement(segment, tcp));
        number("tcp.hdr_len", Tcp.headerBytes(segment, tcp));
        hex("tcp.flags", Tcp.flags(segment, tcp), 4);
        number("tcp.window_size_value", Tcp.window(segment, tcp));
        hex("tcp.checksum", Tcp.checksum(segment, tcp), 4);
        int remainder =
                frame.etherType == EtherType.IPV4
                        ? UdpChecksums.overIpv4(segment, ip, IpProtocol.TCP, tcp, available)
                        : Checksum.overIpv6(segment, ip, IpProtocol.TCP, tcp, available);
        flag("tcp.checksum.status", remainder == 0);
    }

    private void icmpv6(long ip, long icmp, int available) {
        int type = Icmp.type(segment, icmp);
        number("icmpv6.type", type);
        number("icmpv6.code", Icmp.code(segment, icmp));
        hex("icmpv6.checksum", Icmp.checksum(segment, icmp), 4);
        boolean right = Icmp.isChecksumRightIpv6(segment, ip, icmp, available);
        flag("icmpv6.checksum.status", right);
        if (type == Icmp.V6_ECHO_REQUEST || type == Icmp.V6_ECHO_REPLY) {
            hex("icmpv6.echo.identifier", Icmp.identifier(segment, icmp), 4);
            number("icmpv6.echo.sequence_number", Icmp.sequence(segment, icmp));
        } else if (NeighborDiscovery.isValid(segment, icmp, available)) {
            neighborDiscovery(icmp, available, type);
        }
    }

    private void neighborDiscovery(long icmp, int available, int type) {
        long high = NeighborDiscovery.targetHigh(segment, icmp);
        String target = ipv6Text(high, NeighborDiscovery.targetLow(segment, icmp));
        int option = NeighborDiscovery.SOURCE_LINK_LAYER;
        if (type == NeighborDiscovery.SOLICITATION) {
            fields.put("icmpv6.nd.ns.target_address", target);
        } else {
            fields.put("icmpv6.nd.na.target_address", target);
            int flags = NeighborDiscovery.flags(segment, icmp);
            flag("icmpv6.nd.na.flag.r", (flags & NeighborDiscovery.ROUTER) != 0);
            flag("icmpv6.nd.na.flag.s", (flags & NeighborDiscovery.SOLICITED) != 0);
            flag("icmpv6.nd.na.flag.o", (flags & NeighborDiscovery.OVERRIDE) != 0);
            option = NeighborDiscovery.TARGET_LINK_LAYER;
        }
        long mac = NeighborDiscovery.linkLayerAddress(segment, icmp, available, option);
        if (mac != NeighborDiscovery.NO_ADDRESS) {
            number("icmpv6.opt.type", option);
            fields.put("icmpv6.opt.linkaddr", MacAddress.format(mac));
        }
    }

    private void number(String name, long value) {
        fields.put(name, Long.toString(value));
    }

    private void flag(String name, boolean value) {
        fields.put(name, value ? "1" : "0");
    }

    private void hex(String name, int value, int digits) {
        fields.put(name, "0x" + HexFormat.of().toHexDigits(value, digits));
    }

    private void add(String name, String value) {
        fields.merge(name, value, (first, second) -> first + "," + second);
    }

    private static String ipv4Text(int address) {
        return "%d.%d.%d.%d"
                .formatted(
                        address >>> 24,
                        (address >>> 16) & 0xFF,
                        (address >>> 8) & 0xFF,
                        address & 0xFF);
    }

    /** The longest run of zeros shortened (RFC 5952), as tshark prints it. */
    private static String ipv6Text(long high, long low) {
        byte[] bytes = new byte[16];
        Wire.put64(MemorySegment.ofArray(bytes), 0, high);
        Wire.put64(MemorySegment.ofArray(bytes), 8, low);
        try {
            String text = InetAddress.getByAddress(bytes).getHostAddress();
            return text.replaceFirst("(^|:)0(:0)+(:|$)", "::");
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
