package io.headgate.testbed.lab.validity;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.scenario.Numbers;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The times for which the machine kept the workers of switches and of hosts' agents from running.
 *
 * @param workers how many there are
 * @param cores how many cores they could have
 * @param longestNs the longest cycle, or the latest wake-up, of any of them
 */
public record Holds(int workers, int cores, long longestNs) {
    /** The part of the time over which a rate is averaged that a hold may take. */
    private static final double MOST_OF_PHASE = 0.1;

    /** Least share of its rate that a sender must send if only the machine holds it back. */
    private static final double LEAST_SENT = 0.9;

    private static final double NS_PER_S = 1e9;
    private static final long MOST_BUFFERED_NS = 100_000_000;

    /**
     * Since the watermarks of these counters were cleared.
     *
     * @param counters of switches and cards, each of which counts its own workers
     */
    public static Holds of(List<CounterSnapshot> counters) {
        int workers = 0;
        long longestNs = 0;
        for (CounterSnapshot one : counters) {
            for (String worker : one.owners(Scope.WORKER)) {
                workers++;
                longestNs =
                        Math.max(
                                longestNs,
                                Math.max(
                                        one.value(
                                                Scope.WORKER,
                                                worker,
                                                WorkerCounter.LONGEST_CYCLE_NS),
                                        one.value(
                                                Scope.WORKER,
                                                worker,
                                                WorkerCounter.LATENESS_MAX_NS)));
            }
        }
        return new Holds(workers, Runtime.getRuntime().availableProcessors(), longestNs);
    }

    /**
     * Doubts drops at a switch of which a worker had no core for a tenth of the time: such drops
     * can come from full links or from a worker that did not send.
     *
     * @param counters of that switch alone, over the traffic
     * @param seconds of traffic
     */
    public static void doubtDrops(
            String switchName, CounterSnapshot counters, double seconds, RunReport report) {
        long frames =
                counters.drops().stream()
                        .filter(drop -> drop.reason().equals(DropReason.QUEUE_FULL.name()))
                        .mapToLong(CounterSnapshot.Drop::frames)
                        .sum();
        long stalledNs =
                counters.owners(Scope.WORKER).stream()
                        .mapToLong(worker ->
                                counters.value(Scope.WORKER, worker, WorkerCounter.STALLED_NS)
                                        + counters.value(
                                                Scope.WORKER, worker, WorkerCounter.LATENESS_NS))
                        .max()
                        .orElse(0);
        if (frames > 0 && stalledNs > seconds * NS_PER_S * MOST_OF_PHASE) {
            report.doubt(
                    Doubt.ofMachine(
                            "%s dropped %d frames at full queues, and one of its workers had no core for %s of the %s of traffic"
                                    .formatted(
                                            switchName,
                                            frames,
                                            Numbers.shown((double) stalledNs, "ns"),
                                            Numbers.shown(seconds, "s"))));
        }
    }

    /** Such as {@code 5 workers want 2 cores; the longest was held for 1.9 s}. */
    public String sentence() {
        return workers
                + (workers == 1 ? " worker wants " : " workers want ")
                + cores
                + (cores == 1 ? " core" : " cores")
                + "; the longest was held for "
                + Numbers.shown((double) longestNs, "ns");
    }

    /** Whether any was held for longer than the buffers of lossless labs allow for at the most. */
    public boolean exceedAnyBuffer() {
        return exceed(MOST_BUFFERED_NS);
    }

    /** Whether any was held for longer than a claim allows. */
    public boolean exceed(long allowedNs) {
        return longestNs > allowedNs;
    }

    /**
     * Doubts a phase whose rates are averaged over a time of which the machine took a tenth from
     * some worker.
     *
     * @param what the phase, for the sentence
     */
    public void doubtRates(String what, double seconds, RunReport report) {
        Doubt doubt = ofRates(what, seconds);
        if (doubt != null && !report.doubts().contains(doubt)) {
            report.doubt(doubt);
        }
    }

    /** That doubt; null: there is none. */
    public @Nullable Doubt ofRates(String what, double seconds) {
        return exceed((long) (seconds * NS_PER_S * MOST_OF_PHASE))
                ? Doubt.ofMachine(
                        sentence()
                                + ", more than a tenth of the "
                                + Numbers.shown(seconds, "s")
                                + " over which "
                                + what
                                + " is averaged")
                : null;
    }

    /**
     * Doubts senders of UDP that only the machine could have held back.
     *
     * @param flows that no pause, credit or rate control slows
     * @param nameOf a host by its number, from 1
     * @return whether any fell short
     */
    public boolean doubtSenders(
            List<Iperf3.Outcome> flows, IntFunction<String> nameOf, RunReport report) {
        for (Iperf3.Outcome one : flows) {
            if (isShort(one)) {
                Doubt doubt =
                        Doubt.ofMachine(
                                nameOf.apply(one.flow().from())
                                        + "'s iperf3 sent "
                                        + Numbers.rate(one.sentBps())
                                        + " of the "
                                        + Numbers.rate((double) one.flow().udpBps())
                                        + " that it was asked for; "
                                        + sentence());
                if (!report.doubts().contains(doubt)) {
                    report.doubt(doubt);
                }
                return true;
            }
        }
        return false;
    }

    /** Whether any sender of UDP sent less than it was asked for, as {@link #doubtSenders} says. */
    public boolean areShort(List<Iperf3.Outcome> flows) {
        return flows.stream().anyMatch(one -> isShort(one));
    }

    private static boolean isShort(Iperf3.Outcome one) {
        return one.protocol() == Iperf3.Protocol.UDP
                && one.sentBps() < LEAST_SENT * one.flow().udpBps();
    }
}
