package io.headgate.dataplane.device.afxdp;

/**
 * Memory that a worker and its BPF programs share: the ring from which frames are sent, and the
 * kernel's reports about them.
 *
 * <pre>
 *   cursor     u32   entries taken from the ring
 *   processor  u32   where the program ran last
 *   reports    u32   reports written
 *   pending    u32   frames handed to interfaces that no report has named yet
 *   ring       {address u32, length u16, port u16} each
 *   reports    {interface u64, sent i32, drops i32, error i32, unused} each
 * </pre>
 */
final class LiveState {
    static final int CURSOR_OFFSET = 0;
    static final int PROCESSOR_OFFSET = 4;
    static final int REPORTS_OFFSET = 8;
    static final int PENDING_OFFSET = 12;
    static final int RING_OFFSET = 64;

    /** Entries of the ring: the maximum number of frames per call. */
    static final int RING_FRAMES = 512;

    static final int ENTRY_SHIFT = 3;
    static final int LENGTH_OFFSET = 4;
    static final int PORT_OFFSET = 6;
    static final int REPORT_OFFSET = RING_OFFSET + (RING_FRAMES << ENTRY_SHIFT);

    /** Maximum number of reports per call: each frame causes at most one. */
    static final int MOST_REPORTS = RING_FRAMES;

    static final int REPORT_SHIFT = 5;
    static final int SENT_OFFSET = 8;
    static final int DROPS_OFFSET = 12;
    static final int ERROR_OFFSET = 16;
    static final int BYTES = REPORT_OFFSET + (MOST_REPORTS << REPORT_SHIFT);

    private LiveState() {}
}
