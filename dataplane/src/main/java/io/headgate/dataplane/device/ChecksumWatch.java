package io.headgate.dataplane.device;

import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Detects frames whose TCP or UDP checksum was left to hardware that no frame passed, on a device
 * that sees only the frames' bytes. A host drops such a frame, so ping works and TCP hangs. Checks
 * a sample of the frames: the checksum field then holds the sum of the pseudo header, which a
 * correct checksum equals once in 65,536 frames, so only in that case the whole frame is summed.
 * The device's thread checks; any thread may read the result.
 */
public final class ChecksumWatch {
    /** The fix at the far end, as a command; the interface's name there is not known. */
    public static final String REMEDY =
            "Switch that off at their sender: 'ethtool -K INTERFACE tx off tso off gso off'";

    /** One frame in so long: at a high rate this costs no frame anything. */
    private static final long SAMPLE_NS = 100_000;

    /** Other frames have come for so long when it counts as over. */
    private static final long OVER_NS = 60_000_000_000L;

    private static final int TCP_CHECKSUM_OFFSET = 16;
    private static final int MOST_TAGS = 2;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private long nextNs = Long.MIN_VALUE / 2;
    private long seenNs;
    private volatile boolean isSeen;

    /** Checks the first frame of a batch, if a sample is due. */
    public void look(long nowNs, Frame[] batch, int count) {
        if (count == 0 || nextNs - nowNs > 0) {
            return;
        }
        nextNs = nowNs + SAMPLE_NS;
        if (isUnfinished(batch[0].dataOffset, batch[0].storedBytes)) {
            seenNs = nowNs;
            isSeen = true;
        } else if (isSeen && nowNs - seenNs > OVER_NS) {
            isSeen = false;
        }
    }

    /** Whether the samples of the last minute with traffic found such a frame. */
    public boolean seesUnfinished() {
        return isSeen;
    }

    /** Whether a frame's TCP or UDP checksum was left to the sender's network card. */
    static boolean isUnfinished(long frame, int lengthBytes) {
        long type = frame + Ethernet.ETHER_TYPE_OFFSET;
        long end = frame + lengthBytes;
        for (int tags = 0; ; tags++) {
            if (end - type < Short.BYTES) {
                return false;
            }
            int etherType = Wire.u16(MEMORY, type);
            long ip = type + Short.BYTES;
            if (etherType == EtherType.IPV4) {
                return isUnfinishedIpv4(ip, (int) (end - ip));
            }
            if (etherType == EtherType.IPV6) {
                return isUnfinishedIpv6(ip, (int) (end - ip));
            }
            boolean tagged = etherType == EtherType.VLAN || etherType == EtherType.SERVICE_VLAN;
            if (!tagged || tags == MOST_TAGS) {
                return false;
            }
            type += Vlan.TAG_BYTES;
        }
    }

    private static boolean isUnfinishedIpv4(long ip, int availableBytes) {
        if (!Ipv4.isValid(MEMORY, ip, availableBytes) || Ipv4.isFragment(MEMORY, ip)) {
            return false;
        }
        int headerBytes = Ipv4.headerBytes(MEMORY, ip);
        return isUnfinished(
                Checksum.sum(MEMORY, ip + Ipv4.SOURCE_OFFSET, 2 * Integer.BYTES),
                Ipv4.protocol(MEMORY, ip),
                ip + headerBytes,
                Ipv4.totalBytes(MEMORY, ip) - headerBytes);
    }

    private static boolean isUnfinishedIpv6(long ip, int availableBytes) {
        return Ipv6.isValid(MEMORY, ip, availableBytes)
                && isUnfinished(
                        Checksum.sum(MEMORY, ip + Ipv6.SOURCE_OFFSET, 4 * Long.BYTES),
                        Ipv6.nextHeader(MEMORY, ip),
                        ip + Ipv6.HEADER_BYTES,
                        Ipv6.payloadBytes(MEMORY, ip));
    }

    private static boolean isUnfinished(
            long addresses, int protocol, long message, int messageBytes) {
        int place =
                protocol == IpProtocol.TCP
                        ? TCP_CHECKSUM_OFFSET
                        : protocol == IpProtocol.UDP ? Udp.CHECKSUM_OFFSET : Integer.MAX_VALUE;
        if (place > messageBytes - Short.BYTES) {
            return false;
        }
        long pseudoHeader = addresses + protocol + messageBytes;
        int leftByTheSender = ~Checksum.finish(pseudoHeader) & 0xFFFF;
        return Wire.u16(MEMORY, message + place) == leftByTheSender
                && Checksum.finish(pseudoHeader + Checksum.sum(MEMORY, message, messageBytes)) != 0;
    }
}
