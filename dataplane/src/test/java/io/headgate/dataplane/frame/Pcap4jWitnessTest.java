package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IpV4Packet;
import org.pcap4j.packet.IpV4Rfc1349Tos;
import org.pcap4j.packet.IpV6Packet;
import org.pcap4j.packet.IpV6SimpleFlowLabel;
import org.pcap4j.packet.IpV6SimpleTrafficClass;
import org.pcap4j.packet.Packet;
import org.pcap4j.packet.TcpPacket;
import org.pcap4j.packet.UdpPacket;
import org.pcap4j.packet.UnknownPacket;
import org.pcap4j.packet.namednumber.EtherType;
import org.pcap4j.packet.namednumber.IpNumber;
import org.pcap4j.packet.namednumber.IpVersion;
import org.pcap4j.packet.namednumber.TcpPort;
import org.pcap4j.packet.namednumber.UdpPort;

/** A second witness besides the corpus: packets that pcap4j's own classes build. */
final class Pcap4jWitnessTest {
    private static final long SEED = 802_1L;
    private static final int PACKETS = 400;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void viewsReadWhatPcap4jBuilt() throws Exception {
        for (int number = 0; number < PACKETS; number++) {
            boolean isIpv4 = random.nextBoolean();
            boolean isUdp = random.nextBoolean();
            InetAddress source = address(isIpv4);
            InetAddress destination = address(isIpv4);
            int sourcePort = 20000 + random.nextInt(1000);
            int destinationPort = 30000 + random.nextInt(1000);
            Packet.Builder transport =
                    isUdp
                            ? udp(source, destination, sourcePort, destinationPort)
                            : tcp(source, destination, sourcePort, destinationPort);
            Packet.Builder ip =
                    isIpv4
                            ? ipv4((Inet4Address) source, (Inet4Address) destination, isUdp)
                            : ipv6((Inet6Address) source, (Inet6Address) destination, isUdp);
            ip.payloadBuilder(transport);
            byte[] bytes = ethernet(ip, isIpv4).build().getRawData();

            String as = "seed %d, packet %d".formatted(SEED, number);
            FrameRegion region = Frames.regionWith(bytes);
            Frame frame = region.frame(0);
            MemorySegment segment = region.segment();
            assertThat(HeaderParser.parse(segment, frame)).as(as).isNull();
            long start = frame.dataOffset;
            assertThat(Ethernet.destination(segment, start)).as(as).isEqualTo(0x0200_0000_0001L);
            assertThat(Ethernet.source(segment, start)).as(as).isEqualTo(0x0200_0000_00FEL);
            long transportAt = start + frame.transportOffset;
            assertThat(Udp.sourcePort(segment, transportAt)).as(as).isEqualTo(sourcePort);
            assertThat(Udp.destinationPort(segment, transportAt)).as(as).isEqualTo(destinationPort);
            byte[] addressBytes = new byte[source.getAddress().length];
            int sourceOffset = isIpv4 ? Ipv4.SOURCE_OFFSET : Ipv6.SOURCE_OFFSET;
            MemorySegment.copy(
                    segment,
                    start + frame.ipOffset + sourceOffset,
                    MemorySegment.ofArray(addressBytes),
                    0,
                    addressBytes.length);
            assertThat(addressBytes).as(as).isEqualTo(source.getAddress());
            checksumsAgree(segment, frame, isUdp, as);
            rewrittenFieldsKeepChecksumsRight(segment, frame, as);
        }
    }

    private static void checksumsAgree(
            MemorySegment segment, Frame frame, boolean isUdp, String as) {
        long ip = frame.dataOffset + frame.ipOffset;
        long transport = frame.dataOffset + frame.transportOffset;
        int protocol = isUdp ? IpProtocol.UDP : IpProtocol.TCP;
        if (frame.etherType == io.headgate.dataplane.frame.EtherType.IPV4) {
            assertThat(Ipv4.isChecksumRight(segment, ip)).as(as).isTrue();
            int length = Ipv4.totalBytes(segment, ip) - Ipv4.headerBytes(segment, ip);
            int remainder = UdpChecksums.overIpv4(segment, ip, protocol, transport, length);
            assertThat(remainder).as(as).isZero();
        } else {
            int length = Ipv6.payloadBytes(segment, ip);
            int remainder = Checksum.overIpv6(segment, ip, protocol, transport, length);
            assertThat(remainder).as(as).isZero();
        }
        if (isUdp) {
            int theirs = Udp.checksum(segment, transport);
            if (frame.etherType == io.headgate.dataplane.frame.EtherType.IPV4) {
                UdpChecksums.writeChecksumIpv4(segment, ip, transport);
            } else {
                UdpChecksums.writeChecksumIpv6(segment, ip, transport);
            }
            assertThat(Udp.checksum(segment, transport)).as(as).isEqualTo(theirs);
        }
    }

    private void rewrittenFieldsKeepChecksumsRight(MemorySegment segment, Frame frame, String as) {
        if (frame.etherType != io.headgate.dataplane.frame.EtherType.IPV4) {
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int ttl = random.nextInt(256);
        int trafficClass = random.nextInt(256);
        Ipv4.ttl(segment, ip, ttl);
        Ipv4.trafficClass(segment, ip, trafficClass);
        Ipv4.ecn(segment, ip, 3);
        assertThat(Ipv4.ttl(segment, ip)).as(as).isEqualTo(ttl);
        assertThat(Ipv4.trafficClass(segment, ip)).as(as).isEqualTo(trafficClass | 3);
        int updated = Ipv4.checksum(segment, ip);
        Ipv4.writeChecksum(segment, ip);
        assertThat(updated).as(as).isEqualTo(Ipv4.checksum(segment, ip));
    }

    private InetAddress address(boolean isIpv4) throws Exception {
        byte[] bytes = new byte[isIpv4 ? 4 : 16];
        random.nextBytes(bytes);
        bytes[0] = (byte) (isIpv4 ? 10 : 0xFD);
        return InetAddress.getByAddress(bytes);
    }

    private UnknownPacket.Builder payload() {
        byte[] bytes = new byte[8 + random.nextInt(200)];
        random.nextBytes(bytes);
        return new UnknownPacket.Builder().rawData(bytes);
    }

    private UdpPacket.Builder udp(
            InetAddress source, InetAddress destination, int sourcePort, int destinationPort) {
        return new UdpPacket.Builder()
                .srcAddr(source)
                .dstAddr(destination)
                .srcPort(UdpPort.getInstance((short) sourcePort))
                .dstPort(UdpPort.getInstance((short) destinationPort))
                .payloadBuilder(payload())
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true);
    }

    private TcpPacket.Builder tcp(
            InetAddress source, InetAddress destination, int sourcePort, int destinationPort) {
        return new TcpPacket.Builder()
                .srcAddr(source)
                .dstAddr(destination)
                .srcPort(TcpPort.getInstance((short) sourcePort))
                .dstPort(TcpPort.getInstance((short) destinationPort))
                .sequenceNumber(random.nextInt())
                .window((short) random.nextInt())
                .payloadBuilder(payload())
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true);
    }

    private IpV4Packet.Builder ipv4(Inet4Address source, Inet4Address destination, boolean isUdp) {
        return new IpV4Packet.Builder()
                .version(IpVersion.IPV4)
                .tos(IpV4Rfc1349Tos.newInstance((byte) random.nextInt(256)))
                .identification((short) random.nextInt())
                .ttl((byte) random.nextInt(1, 256))
                .protocol(isUdp ? IpNumber.UDP : IpNumber.TCP)
                .srcAddr(source)
                .dstAddr(destination)
                .correctChecksumAtBuild(true)
                .correctLengthAtBuild(true);
    }

    private IpV6Packet.Builder ipv6(Inet6Address source, Inet6Address destination, boolean isUdp) {
        return new IpV6Packet.Builder()
                .version(IpVersion.IPV6)
                .trafficClass(IpV6SimpleTrafficClass.newInstance((byte) random.nextInt(256)))
                .flowLabel(IpV6SimpleFlowLabel.newInstance(random.nextInt(1 << 20)))
                .nextHeader(isUdp ? IpNumber.UDP : IpNumber.TCP)
                .hopLimit((byte) random.nextInt(1, 256))
                .srcAddr(source)
                .dstAddr(destination)
                .correctLengthAtBuild(true);
    }

    private static EthernetPacket.Builder ethernet(Packet.Builder ip, boolean isIpv4) {
        return new EthernetPacket.Builder()
                .dstAddr(org.pcap4j.util.MacAddress.getByName("02:00:00:00:00:01"))
                .srcAddr(org.pcap4j.util.MacAddress.getByName("02:00:00:00:00:fe"))
                .type(isIpv4 ? EtherType.IPV4 : EtherType.IPV6)
                .payloadBuilder(ip)
                .paddingAtBuild(true);
    }
}
