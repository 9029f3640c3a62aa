package io.headgate.testbed.swarm;

import io.headgate.testbed.scenario.campaign.ProgressLine;
import io.headgate.testbed.scenario.campaign.WorkerPool;
import io.headgate.testbed.swarm.draw.Drawing;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Tests a range of seeds, one on each core at a time. */
public final class SwarmCampaign {
    /**
     * The options of a campaign.
     *
     * @param drawing options of the drawn cases
     * @param quick as in {@link Swarm}
     * @param jobs number of seeds at a time, at least 1
     * @param mostNs time after which no further seed begins; {@link Long#MAX_VALUE}: begins all
     * @param terminal whether {@code progress} is a terminal that can overwrite a line
     */
    public record Options(
            Drawing drawing,
            boolean quick,
            int jobs,
            long mostNs,
            PrintStream progress,
            boolean terminal) {}

    /**
     * The result of a campaign.
     *
     * @param examined number of seeds that were run to their end
     * @param firstLeft the first seed that was not; one after the last if all were
     * @param failures failures by seed
     * @param tally counts of the passing cases
     */
    public record Outcome(
            int examined, long firstLeft, List<Swarm.Failure> failures, SwarmTally tally) {}

    /** Most failures that are kept: for a defect that breaks everything a few examples suffice. */
    private static final int MOST_FAILURES = 10;

    private final SeedRange seeds;
    private final Options options;
    private final long startNs = System.nanoTime();
    private final AtomicInteger next = new AtomicInteger();
    private final BitSet examined = new BitSet();
    private final List<Swarm.Failure> failures = new ArrayList<>();
    private final SwarmTally tally = new SwarmTally();
    private volatile boolean cancelled;

    public SwarmCampaign(SeedRange seeds, Options options) {
        this.seeds = seeds;
        this.options = options;
    }

    /** Cancels it; {@link #run} returns with the seeds tested so far. */
    public void cancel() {
        cancelled = true;
    }

    /** Tests all seeds. May be called only once. */
    public Outcome run() {
        try (ProgressLine progress =
                new ProgressLine("swarm", seeds.count(), options.progress(), options.terminal())) {
            int threads = Math.min(options.jobs(), seeds.count());
            WorkerPool.run("headgate-swarm-", threads, () -> work(progress), this::cancel);
        }
        synchronized (failures) {
            failures.sort(Comparator.comparingLong(Swarm.Failure::seed));
            return new Outcome(
                    examined.cardinality(),
                    seeds.first() + examined.nextClearBit(0),
                    List.copyOf(failures),
                    tally);
        }
    }

    private void work(ProgressLine progress) {
        Swarm swarm = new Swarm(options.drawing(), options.quick(), () -> cancelled);
        for (int i = next.getAndIncrement();
                i < seeds.count() && !cancelled && System.nanoTime() - startNs < options.mostNs();
                i = next.getAndIncrement()) {
            Swarm.Failure failure = swarm.examine(seeds.first() + i);
            if (failure != null) {
                progress.say(failure.describe());
                synchronized (failures) {
                    failures.add(failure);
                    cancelled |= failures.size() >= MOST_FAILURES;
                }
            }
            if (failure != null || !cancelled) {
                progress.at(i, 1);
                synchronized (failures) {
                    examined.set(i);
                }
            }
        }
        synchronized (failures) {
            tally.add(swarm.tally());
        }
    }
}
