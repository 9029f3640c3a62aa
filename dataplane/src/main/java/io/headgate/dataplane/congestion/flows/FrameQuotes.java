package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Stores the parts of frames that notices quote, after the frames have left: source, ingress port
 * and beginning of a frame, as words, by place.
 */
public final class FrameQuotes {
    /** Word of a record that holds the frame's source MAC address. */
    public static final int SOURCE = 0;

    /** Word with the ingress port, the IP version and the number of quoted bytes. */
    public static final int KIND = 1;

    /** First word of the quote, in whole words; words behind it are not set. */
    public static final int QUOTE = 2;

    public static final int WORDS = QUOTE + Notice.QUOTE_BYTES / Long.BYTES;

    private static final int PORT_SHIFT = 16;
    private static final int IPV4_BIT = 1 << 8;
    private static final int BYTES_MASK = IPV4_BIT - 1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final long[] words;

    public FrameQuotes(int places) {
        words = new long[places * WORDS];
    }

    /** Stores the quote of an IP frame. */
    public void put(int place, Frame frame) {
        int at = place * WORDS;
        long kind = kind(frame);
        words[at + SOURCE] = Ethernet.source(MEMORY, frame.dataOffset);
        words[at + KIND] = kind;
        for (int word = 0; word < quotedWords(kind); word++) {
            words[at + QUOTE + word] = quoted(frame, word);
        }
    }

    public long word(int place, int word) {
        return words[place * WORDS + word];
    }

    // ---- records of any kind

    /**
     * The {@link #KIND} word of an IP frame: ingress port, IP version and number of quoted bytes.
     */
    public static long kind(Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        int stored = Math.min(frame.storedBytes, frame.lengthBytes) - frame.ipOffset;
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        // Behind a short packet is padding.
        int packet =
                isIpv4
                        ? Ipv4.totalBytes(MEMORY, ip)
                        : Ipv6.HEADER_BYTES + Ipv6.payloadBytes(MEMORY, ip);
        int quoted = Math.min(Math.min(stored, packet), Notice.QUOTE_BYTES);
        return (long) frame.ingressPort << PORT_SHIFT | (isIpv4 ? IPV4_BIT : 0) | quoted;
    }

    public static long quoted(Frame frame, int word) {
        return MEMORY.get(LONG, frame.dataOffset + frame.ipOffset + (long) word * Long.BYTES);
    }

    public static int ingressPort(long kind) {
        return (int) (kind >>> PORT_SHIFT);
    }

    public static boolean isIpv4(long kind) {
        return (kind & IPV4_BIT) != 0;
    }

    /** Number of quoted bytes of the packet. */
    public static int quotedBytes(long kind) {
        return (int) kind & BYTES_MASK;
    }

    /** Number of words of the quote: bytes behind a frame in its slot are not quoted. */
    public static int quotedWords(long kind) {
        return (quotedBytes(kind) + Long.BYTES - 1) / Long.BYTES;
    }
}
