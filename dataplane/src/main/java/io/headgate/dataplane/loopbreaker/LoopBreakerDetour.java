package io.headgate.dataplane.loopbreaker;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.deadlock.LoopCounter;
import io.headgate.dataplane.deadlock.LoopDetour;
import io.headgate.dataplane.deadlock.LoopWords;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * Loop Breaker at the port that has found a loop: drops the loop's frames, one after the other, at
 * the rate of the link. Owned by the egress half.
 */
final class LoopBreakerDetour extends LoopDetour {
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int DROPPED = LoopCounter.values().length;

    private final long rateBps;

    // When the next frame is dropped, and the one to be dropped in this call.
    private long nextNs = Long.MAX_VALUE;
    private @Nullable Frame lost;
    private long dropped;

    LoopBreakerDetour(LoopBreakerConfig config, boolean isOn, LinkSetup setup, LoopWords words) {
        super(isOn, config.detectionNs(), setup, words);
        this.rateBps = setup.rateBps();
    }

    @Override
    public void change(PortConfig port) {
        Mechanisms.Use use = port.mechanisms().use(LoopBreakerConfig.class);
        if (use != null && use.configuration() instanceof LoopBreakerConfig config) {
            take(use.isEnabled(), config.detectionNs());
        }
    }

    @Override
    protected void found(long nowNs, int queue) {
        nextNs = Math.min(nextNs, nowNs);
    }

    @Override
    protected int act(long nowNs, int queue, Queues queues, @Nullable CongestionPoint point) {
        if (nextNs - nowNs > 0 || lost != null) {
            return 0;
        }
        Frame frame = extract(nowNs, queues, queue, loopPort(queue), point);
        if (frame == null) {
            // What held the port up has gone; the pause will end.
            nextNs = nowNs + detectionNs();
            return 0;
        }
        lost = frame;
        dropped++;
        countsAgain();
        long bits = 8L * (frame.lengthBytes + Ethernet.WIRE_OVERHEAD_BYTES);
        nextNs = nowNs + bits * NS_PER_S / rateBps;
        return 1;
    }

    @Override
    protected long actNs() {
        return nextNs;
    }

    @Override
    protected void ended(int queue) {
        // The next loop is another.
    }

    @Override
    public @Nullable Frame lost() {
        Frame frame = lost;
        lost = null;
        return frame;
    }

    @Override
    public long counted(int counter) {
        return counter == DROPPED ? dropped : super.counted(counter);
    }
}
