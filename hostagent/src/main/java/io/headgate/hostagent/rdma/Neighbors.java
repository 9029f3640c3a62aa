package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.Arp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Finds the MAC address of one other host or router, and answers requests for this host's own (ARP,
 * RFC 826). Only a few requests wait at a time; further ones are not answered, and their senders
 * repeat them.
 */
final class Neighbors {
    static final long UNKNOWN = 0;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long ASK_AGAIN_NS = 200_000_000;
    private static final int MOST_QUESTIONS = 16;

    private final long ownMac;
    private final int ownIp;
    private final int wanted;
    private long mac;
    private long askNs;

    private final long[] askerMacs = new long[MOST_QUESTIONS];
    private final int[] askerIps = new int[MOST_QUESTIONS];
    private int questions;

    /**
     * @param wanted IP address whose MAC address is needed; 0: none
     * @param known its MAC address, or {@link #UNKNOWN}
     */
    Neighbors(long ownMac, int ownIp, int wanted, long known) {
        this.ownMac = ownMac;
        this.ownIp = ownIp;
        this.wanted = wanted;
        this.mac = known;
        this.askNs = wanted == 0 || known != UNKNOWN ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    /** MAC address of the wanted host; {@link #UNKNOWN} until it answers. */
    long mac() {
        return mac;
    }

    void arrived(long arp, int availableBytes) {
        if (!Arp.isValid(MEMORY, arp, availableBytes)
                || !MacAddress.isValidSource(Arp.senderMac(MEMORY, arp))) {
            return;
        }
        int senderIp = Arp.senderIp(MEMORY, arp);
        long senderMac = Arp.senderMac(MEMORY, arp);
        boolean isForUs = Arp.targetIp(MEMORY, arp) == ownIp;
        if (senderIp == wanted && isForUs && askNs != Long.MAX_VALUE) {
            mac = senderMac;
            askNs = Long.MAX_VALUE;
        }
        if (isForUs && Arp.operation(MEMORY, arp) == Arp.REQUEST && questions < MOST_QUESTIONS) {
            askerMacs[questions] = senderMac;
            askerIps[questions++] = senderIp;
        }
    }

    /** The time at which something must be sent, in ns; MAX_VALUE: not before something arrives. */
    long deadlineNs() {
        return questions > 0 ? Long.MIN_VALUE : askNs;
    }

    void write(Frame frame, long nowNs) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = at;
        frame.lengthBytes = Ethernet.MIN_FRAME_BYTES;
        frame.storedBytes = Ethernet.MIN_FRAME_BYTES;
        MEMORY.asSlice(at, Ethernet.MIN_FRAME_BYTES).fill((byte) 0);
        Ethernet.source(MEMORY, at, ownMac);
        Ethernet.etherType(MEMORY, at, EtherType.ARP);
        long arp = at + Ethernet.HEADER_BYTES;
        if (questions > 0) {
            questions--;
            Ethernet.destination(MEMORY, at, askerMacs[questions]);
            Arp.write(
                    MEMORY,
                    arp,
                    Arp.REPLY,
                    ownMac,
                    ownIp,
                    askerMacs[questions],
                    askerIps[questions]);
        } else {
            askNs = nowNs + ASK_AGAIN_NS;
            Ethernet.destination(MEMORY, at, MacAddress.BROADCAST);
            Arp.write(MEMORY, arp, Arp.REQUEST, ownMac, ownIp, 0, wanted);
        }
    }
}
