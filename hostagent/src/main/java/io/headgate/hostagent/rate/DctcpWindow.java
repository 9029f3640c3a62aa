package io.headgate.hostagent.rate;

/**
 * A window that shrinks by the share of marked bytes (Alizadeh et al., "Data Center TCP", SIGCOMM
 * 2010, section 3.1; RFC 8257, section 3.3). Once in each window of data the share F of its bytes
 * that were marked enters an average: alpha = (1 - g) alpha + g F. At the first mark in a window,
 * the window is multiplied by 1 - alpha / 2, once per round trip. It grows like TCP's: by the
 * acknowledged bytes until the first mark or loss, then by a frame per round trip; a loss halves
 * it.
 *
 * <p>Frames follow each other at the line rate.
 */
final class DctcpWindow implements RateControl {
    private static final int LEAST_FRAMES = 2;

    private final double gain;
    private final int initialFrames;
    private int frameBytes;
    private long lineRateBps;

    private double windowBytes;
    private double slowStartBytes = Double.MAX_VALUE;

    // Until a flow has seen how much is marked it takes all to be (RFC 8257, section 4.2).
    private double alpha = 1;

    private long ackedBytes;
    private long markedInWindow;
    private long ackedInWindow;

    /** The window of data ends here, and the next share enters the average. */
    private long windowEndBytes;

    /**
     * Marks of bytes sent before the last reduction do not cause another one; these bytes end here.
     */
    private long reducedUntilBytes;

    DctcpWindow(double gain, int initialFrames) {
        this.gain = gain;
        this.initialFrames = initialFrames;
    }

    @Override
    public void begin(long nowNs, long lineBps, int largestFrameBytes) {
        lineRateBps = lineBps;
        frameBytes = largestFrameBytes;
        windowBytes = (double) initialFrames * frameBytes;
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        long acked = sample.ackedBytes();
        long sentBytes = sample.sentBytes();
        long newly = acked - ackedBytes;
        boolean marked = (sample.marks() & MARKED_CE) != 0;
        ackedBytes = acked;
        ackedInWindow += newly;
        markedInWindow += marked ? newly : 0;
        if (acked >= windowEndBytes && ackedInWindow > 0) {
            alpha += gain * ((double) markedInWindow / ackedInWindow - alpha);
            ackedInWindow = 0;
            markedInWindow = 0;
            windowEndBytes = sentBytes;
        }
        if (acked < reducedUntilBytes) {
            return;
        }
        if (marked) {
            shrinkTo(windowBytes * (1 - alpha / 2));
            reducedUntilBytes = sentBytes;
        } else if (windowBytes < slowStartBytes) {
            windowBytes += newly;
        } else {
            windowBytes += frameBytes * (newly / windowBytes);
        }
    }

    private void shrinkTo(double bytes) {
        windowBytes = Math.max(bytes, (double) LEAST_FRAMES * frameBytes);
        slowStartBytes = windowBytes;
    }

    @Override
    public void lost(long nowNs) {
        shrinkTo(windowBytes / 2);
    }

    @Override
    public long rateBps() {
        return lineRateBps;
    }

    @Override
    public long windowBytes() {
        return (long) windowBytes;
    }

    @Override
    public boolean isIdle() {
        return false; // its window is what it has learned
    }
}
