package io.headgate.dataplane.congestion.pi;

import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.Outlook;
import io.headgate.dataplane.random.NamedRandom;

/**
 * The PI controller with which Zhu et al. replace RED's profile ("ECN or Delay: Lessons Learnt from
 * Analysis of DCQCN and TIMELY", CoNEXT 2016, section 5.2; Hollot et al., INFOCOM 2001): at each
 * look at the queue q the probability p that a frame is marked becomes
 *
 * <pre>  p + a (q - qref) - b (qold - qref)</pre>
 *
 * <p>limited to 0 and {@code most}. It is stable only with q at qref, for any number of flows. In
 * other words, p is the sum of all (a - b) (q - qref), plus b (q - qref) of this look. The part
 * above {@code most} is dropped, as published. The part below 0 is kept: few flows need a p of a
 * thousandth or less, which b subtracts for each 10 kB below qref, and a p that drops this part in
 * each swing holds the queue below qref (two flows of 40 Gb/s: 60 of 100 kB). The sum is kept above
 * -b qref, so that a port always marks from 2 qref on, and does not fall while the queue is empty.
 *
 * <p>The code of Menikkumbura's dissertation (Purdue, 2022) has no sum: with q in units of 624
 * bytes p is (0.5 (q - 200) + 10 (q - (q + qold) / 2)) / 1000 within 0 and 0.5, and 0.5 above 400
 * units. That is a (q - qref) - b (qold - qref) with a = 0.0055 and b = 0.005 for each unit; the
 * stable q is above qref by the amount that p needs.
 */
final class PiDetector implements Detector {
    private static final double KB = 1_000;

    private final PiConfig keys;
    private final NamedRandom random;

    /** Sum of (a - b) (q - qref) over all looks. */
    private double sum;

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
        double kb = (queuedBytes - keys.referenceBytes()) / KB;
        boolean isFull = keys.fullBytes() > 0 && queuedBytes > keys.fullBytes();
        likely = isFull ? keys.most() : Math.clamp(sought(queuedBytes, kb), 0, keys.most());
        beforeBytes = queuedBytes;
        return sum > 0 || likely > 0 || queuedBytes > 0;
    }

    /** p before it is limited. */
    private double sought(long queuedBytes, double kb) {
        double referenceKb = keys.referenceBytes() / KB;
        if (keys.form() == PiConfig.Form.DISSERTATION) {
            double beforeKb = beforeBytes / KB - referenceKb;
            return keys.perKb() * kb - keys.perKbBefore() * beforeKb;
        }
        if (sum > 0 || queuedBytes > 0) {
            double next = sum + (keys.perKb() - keys.perKbBefore()) * kb;
            double most = keys.most() - keys.perKbBefore() * kb;
            double least = -keys.perKbBefore() * referenceKb;
            sum = Math.max(Math.min(next, most), least);
        }
        return sum + keys.perKbBefore() * kb;
    }

    @Override
    public void goOnFrom(Detector before) {
        if (before instanceof PiDetector pi) {
            sum = pi.sum;
            likely = pi.likely;
            beforeBytes = pi.beforeBytes;
        }
    }

    @Override
    public void reset(long nowNs) {
        sum = 0;
        likely = 0;
        beforeBytes = 0;
    }
}
