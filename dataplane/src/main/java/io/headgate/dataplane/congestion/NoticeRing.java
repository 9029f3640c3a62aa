package io.headgate.dataplane.congestion;

import io.headgate.dataplane.congestion.flows.FrameQuotes;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A ring for notices from an egress half to the switch's local port: records of words, each with
 * the beginning of the frame that the notice is about. One thread produces, one consumes; notices
 * that find no room are counted.
 */
public final class NoticeRing implements Notices {
    // Layout of a record, in words: the notice's content and its details, then the frame that it is
    // about.
    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int DETAILS = 2;
    private static final int DETAIL_WORDS = Notice.DETAIL_BYTES / Long.BYTES;
    private static final int ABOUT = DETAILS + DETAIL_WORDS;
    private static final int WORDS = ABOUT + FrameQuotes.WORDS;
    private static final int QUOTE = ABOUT + FrameQuotes.QUOTE;

    private static final long[] NONE = {};
    private static final long HAS_DETAILS = 1L << 62;

    // A record with a frame's body: the body's words are in all places but SOURCE and KIND. KIND
    // has the port, the VLAN, the number of words, and the EtherType in place of the quote's
    // length.
    private static final long IS_FRAME = 1L << 61;
    private static final int PORT_SHIFT = 16;
    private static final int COUNT_SHIFT = 48;
    private static final int PORT_MASK = 0xFFFF;
    private static final int VLAN_SHIFT = 32;
    private static final int VLAN_MASK = 0xFFF;
    private static final int TYPE_MASK = 0xFFFF;
    private static final int COUNT_MASK = 0xFF;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final WordRing ring;
    private final PublishedWords limited = new PublishedWords(1);
    private final Runnable doorbell;
    private long refused;
    private boolean unrung;

    /**
     * Creates a ring.
     *
     * @param notices minimum number of notices that it has room for
     * @param doorbell wakes the duty that makes frames of them
     */
    public NoticeRing(int notices, Runnable doorbell) {
        int records = notices == 1 ? 1 : Integer.highestOneBit(notices - 1) << 1;
        this.ring = new WordRing(records, WORDS);
        this.doorbell = doorbell;
    }

    // ---- egress half

    @Override
    public boolean send(Frame frame, long first, long second) {
        return send(frame, first, second, NONE);
    }

    @Override
    public boolean send(Frame frame, long first, long second, long[] details) {
        if (frame.ipOffset == Frame.ABSENT || !ring.claim()) {
            refused++;
            return false;
        }
        long kind = FrameQuotes.kind(frame);
        put(Ethernet.source(MEMORY, frame.dataOffset), kind, first, second, details);
        for (int word = 0; word < FrameQuotes.quotedWords(kind); word++) {
            ring.put(QUOTE + word, FrameQuotes.quoted(frame, word));
        }
        publish();
        return true;
    }

    @Override
    public boolean send(FrameQuotes quotes, int place, long first, long second, long[] details) {
        if (!ring.claim()) {
            refused++;
            return false;
        }
        long kind = quotes.word(place, FrameQuotes.KIND);
        put(quotes.word(place, FrameQuotes.SOURCE), kind, first, second, details);
        for (int word = 0; word < FrameQuotes.quotedWords(kind); word++) {
            ring.put(QUOTE + word, quotes.word(place, FrameQuotes.QUOTE + word));
        }
        publish();
        return true;
    }

    @Override
    public boolean sendToMac(Frame frame, int etherType, long[] body) {
        if (body.length > BODY_WORDS || !ring.claim()) {
            refused++;
            return false;
        }
        ring.put(ABOUT + FrameQuotes.SOURCE, Ethernet.source(MEMORY, frame.dataOffset));
        ring.put(
                ABOUT + FrameQuotes.KIND,
                IS_FRAME
                        | (long) body.length << COUNT_SHIFT
                        | (long) (frame.vlan & VLAN_MASK) << VLAN_SHIFT
                        | (long) frame.ingressPort << PORT_SHIFT
                        | (etherType & TYPE_MASK));
        for (int word = 0; word < body.length; word++) {
            ring.put(bodyAt(word), body[word]);
        }
        publish();
        return true;
    }

    private static int bodyAt(int word) {
        return word < ABOUT ? word : QUOTE + word - ABOUT;
    }

    private void put(long source, long kind, long first, long second, long[] details) {
        ring.put(ABOUT + FrameQuotes.SOURCE, source);
        ring.put(ABOUT + FrameQuotes.KIND, kind | (details.length == 0 ? 0 : HAS_DETAILS));
        ring.put(FIRST, first);
        ring.put(SECOND, second);
        for (int word = 0; word < details.length; word++) {
            ring.put(DETAILS + word, details[word]);
        }
    }

    private void publish() {
        ring.publish();
        unrung = true;
    }

    /** Rings the consumer; called at the end of the half's work. */
    public void flush() {
        if (unrung) {
            unrung = false;
            doorbell.run();
        }
    }

    /** Notices that found no room, or whose frame has no source that can be notified. */
    public long refused() {
        return refused;
    }

    @Override
    public long leftOut() {
        return limited.loadOpaque(0);
    }

    // ---- local port

    /** Whether there is a notice; the following methods then read it, until {@link #release}. */
    public boolean next() {
        return ring.next();
    }

    public long sourceMac() {
        return ring.get(ABOUT + FrameQuotes.SOURCE);
    }

    public int ingressPort() {
        return isFrame()
                ? (int) (kind() >>> PORT_SHIFT) & PORT_MASK
                : FrameQuotes.ingressPort(kind());
    }

    /** For a notice to a MAC address: the VLAN of the frame that it is about. */
    public int vlan() {
        return (int) (kind() >>> VLAN_SHIFT) & VLAN_MASK;
    }

    /** Whether it is a notice to a MAC address, with {@link #etherType} and {@link #copyBody}. */
    public boolean isFrame() {
        return (ring.get(ABOUT + FrameQuotes.KIND) & IS_FRAME) != 0;
    }

    /** For a notice to a MAC address: its EtherType. */
    public int etherType() {
        return (int) (kind() & TYPE_MASK);
    }

    /** Writes the body of a notice to a MAC address; returns its length in bytes. */
    public int copyBody(MemorySegment segment, long to) {
        int words = (int) (kind() >>> COUNT_SHIFT) & COUNT_MASK;
        for (int word = 0; word < words; word++) {
            Wire.put64(segment, to + (long) word * Long.BYTES, ring.get(bodyAt(word)));
        }
        return words * Long.BYTES;
    }

    public boolean isIpv4() {
        return FrameQuotes.isIpv4(kind());
    }

    public long first() {
        return ring.get(FIRST);
    }

    public long second() {
        return ring.get(SECOND);
    }

    /** Whether the notice has details, for {@link #copyDetails}. */
    public boolean hasDetails() {
        return (ring.get(ABOUT + FrameQuotes.KIND) & HAS_DETAILS) != 0;
    }

    public int quotedBytes() {
        return FrameQuotes.quotedBytes(kind());
    }

    private long kind() {
        return ring.get(ABOUT + FrameQuotes.KIND) & ~HAS_DETAILS;
    }

    /** Writes the quote; there must be room for {@link Notice#QUOTE_BYTES}. */
    public void copyQuote(MemorySegment segment, long to) {
        for (int at = 0; at < quotedBytes(); at += Long.BYTES) {
            segment.set(LONG, to + at, ring.get(QUOTE + at / Long.BYTES));
        }
    }

    /** Writes the notice's details, {@link Notice#DETAIL_BYTES}. */
    public void copyDetails(MemorySegment segment, long to) {
        for (int word = 0; word < DETAIL_WORDS; word++) {
            Wire.put64(segment, to + (long) word * Long.BYTES, ring.get(DETAILS + word));
        }
    }

    /** Notes that a notice was left out, because there were more than their share of the link. */
    public void limited() {
        limited.storeOpaque(0, limited.loadOpaque(0) + 1);
    }

    public void release() {
        ring.release();
    }
}
