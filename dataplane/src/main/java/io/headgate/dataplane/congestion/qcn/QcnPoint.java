package io.headgate.dataplane.congestion.qcn;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.List;

/**
 * QCN's congestion point (IEEE 802.1Qau, clause 30.2; pseudo-code of Rong Pan, version 2.3):
 * samples one frame per about 150 kB that arrive, with a random distance of 0.85 to 1.15 times
 * that. At a sample
 *
 * <pre>  Fb = -(q - Qeq + w (q - qold))</pre>
 *
 * <p>where qold is the queue at the sample before. If Fb is negative, it is sent to the sampled
 * frame's source, quantised to six bits with Qeq (1 + 2 w) as the maximum, and the distance to the
 * next sample is divided by 1 + 1/8 of the sent value.
 *
 * <p>At a host's card no source can be notified, so it watches no queue.
 */
final class QcnPoint implements CongestionPoint {
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total("samples", "frames", "frames sampled"),
                    CounterText.total("notices", "notices", "sources told, or tried to"),
                    CounterText.gauge("feedback", "steps", "last feedback that was sent, 0 to 63"));

    private static final int SAMPLES = 0;
    private static final int NOTICES = 1;
    private static final double LEAST = 0.85;
    private static final double RANGE = 0.3;
    private static final int STEP = 8;
    private static final int POINT_BITS = 16;

    private final QcnConfig config;
    private final QueueFields fields;
    private final Notices notices;
    private final NamedRandom random;
    private final double mostFeedback;
    private final long point;
    private final int queues;

    // Per queue.
    private final long[] leftBytes = new long[PRIORITIES];
    private final long[] beforeBytes = new long[PRIORITIES];
    private final long[] samples = new long[PRIORITIES];
    private final long[] told = new long[PRIORITIES];
    private final int[] feedback = new int[PRIORITIES];

    private final long[] message = new long[Cnm.WORDS];

    QcnPoint(QcnConfig config, CongestionSetup setup) {
        this.config = config;
        this.fields = setup.queues();
        this.notices = setup.notices();
        this.random = setup.random();
        this.mostFeedback = config.setPointBytes() * (1 + 2 * config.weight());
        // CPID: unlike that of any other point, as far as a drawn number can be.
        this.point = random.nextLong() << POINT_BITS | (long) setup.port() << 3;
        int watched = 0;
        for (int priority : config.priorities()) {
            watched |= setup.sendsNotices() ? 1 << priority : 0;
            leftBytes[priority] = distance(0);
        }
        this.queues = watched;
    }

    private long distance(int steps) {
        int nearer = 1 + steps / STEP;
        double mean = (double) config.sampleBytes() / nearer;
        return (long) (mean * (LEAST + RANGE * random.nextDouble()));
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        if ((queues >>> queue & 1) == 0) {
            return;
        }
        for (int i = from; i < to; i++) {
            leftBytes[queue] -= frames[i].lengthBytes;
            if (leftBytes[queue] <= 0) {
                long behind = 0;
                for (int later = i + 1; later < to; later++) {
                    behind += frames[later].lengthBytes;
                }
                sample(queue, frames[i], fields.bytes(queue) - behind);
            }
        }
    }

    private void sample(int queue, Frame frame, long queuedBytes) {
        long offset = config.setPointBytes() - queuedBytes;
        long delta = queuedBytes - beforeBytes[queue];
        int steps = quantised(config.weight() * delta - offset);
        beforeBytes[queue] = queuedBytes;
        samples[queue]++;
        if (steps > 0) {
            told[queue]++;
            feedback[queue] = steps;
            long id = point | queue;
            Cnm.write(FrameRegion.MEMORY, frame, steps, id, offset, delta, message);
            notices.sendToMac(frame, Cnm.ETHER_TYPE, message);
        }
        leftBytes[queue] = distance(steps);
    }

    /** Quantises -Fb to 63 steps; 0: no feedback. */
    private int quantised(double excess) {
        return (int) Math.clamp(excess * Cnm.MOST_FEEDBACK / mostFeedback, 0, Cnm.MOST_FEEDBACK);
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        // It samples what arrives.
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // It samples what arrives.
    }

    @Override
    public void reset(long nowNs) {
        Arrays.fill(beforeBytes, 0);
    }

    @Override
    public long counted(int counter, int queue) {
        return switch (counter) {
            case SAMPLES -> samples[queue];
            case NOTICES -> told[queue];
            default -> feedback[queue];
        };
    }
}
