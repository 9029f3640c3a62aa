package io.headgate.dataplane.congestion.pi;

import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.Outlook;
import io.headgate.dataplane.random.NamedRandom;

/**
 * The PI controller that Zhu et al. put in the place of RED's profile ("ECN or Delay: Lessons
 * Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016, section 5.2; Hollot et al., INFOCOM
 * 2001): at each look at the queue q the probability p that a frame is marked becomes
 *
 * <pre>  p + a (q - qref) - b (qold - qref)</pre>
 *
 * <p>within 0 and 1. It comes to rest only with q at qref, whatever the number of flows.
 *
 * <p>The code of Menikkumbura's dissertation (Purdue, 2022) has no sum: with q in units of 624
 * bytes p is (0.5 (q - 200) + 10 (q - (q + qold) / 2)) / 1000 within 0 and 0.5, and 0.5 above 400
 * units. That is a (q - qref) - b (qold - qref) with a = 0.0055 and b = 0.005 for each unit, and
 * rests above qref by as much as p needs.
 */
final class PiDetector implements Detector {
    private static final double KB = 1_000;

    private final PiConfig keys;
    private final NamedRandom random;
    private double likely;
    private long beforeBytes;

    PiDetector(PiConfig keys, NamedRandom random) {
        this.keys = keys;
        this.random = random;
    }

    /** p. */
    double likely() {
        return likely;
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        return likely > 0 && random.happens(likely) ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    public void foresee(long behindBytes, Outlook outlook) {
        if (likely > 0) {
            outlook.nothing();
        } else {
            outlook.set(Mark.NONE, 0, Long.MAX_VALUE, Outlook.ALWAYS);
        }
    }

    @Override
    public long periodNs() {
        return keys.everyNs();
    }

    @Override
    public boolean tick(long nowNs, long queuedBytes, int queuedFrames) {
        long reference = keys.referenceBytes();
        double sum = keys.form() == PiConfig.Form.PUBLISHED ? likely : 0;
        double more = keys.perKb() * (queuedBytes - reference) / KB;
        double less = keys.perKbBefore() * (beforeBytes - reference) / KB;
        boolean isFull = keys.fullBytes() > 0 && queuedBytes > keys.fullBytes();
        likely = isFull ? keys.most() : Math.clamp(sum + more - less, 0, keys.most());
        beforeBytes = queuedBytes;
        return likely > 0 || queuedBytes > 0;
    }

    @Override
    public void goOnFrom(Detector before) {
        if (before instanceof PiDetector pi) {
            likely = pi.likely;
            beforeBytes = pi.beforeBytes;
        }
    }

    @Override
    public void reset(long nowNs) {
        likely = 0;
        beforeBytes = 0;
    }
}
