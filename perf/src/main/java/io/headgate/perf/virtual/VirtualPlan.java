package io.headgate.perf.virtual;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the benchmark of virtual time.
 *
 * @param cases words of the networks
 * @param queues words of what ours are like
 * @param ns3 in which ways ns-3 forwards; none: it is left out
 * @param htsim the program of csg-htsim; null: it is left out
 * @param rounds each of which measures everything once
 * @param runs of ours in one JVM; the last one counts
 * @param durationShare of a case's whole virtual time
 * @param core that all of it is pinned to, but for runs by several threads
 * @param threadCores a core for each thread of runs of ours by several; none: there are no such
 *     runs
 * @param seed of flows and hashes
 * @param smoke short: sanity and counts, nothing that is a result; ours is over before the
 *     optimising compiler would pay, and runs without it
 */
public record VirtualPlan(
        List<String> cases,
        List<String> queues,
        List<String> ns3,
        @Nullable Path htsim,
        int rounds,
        int runs,
        double durationShare,
        int core,
        List<Integer> threadCores,
        long seed,
        boolean smoke) {
    private static final double SMOKE_SHARE = 0.02;

    public VirtualPlan {
        cases = List.copyOf(cases);
        queues = List.copyOf(queues);
        ns3 = List.copyOf(ns3);
        threadCores = List.copyOf(threadCores);
    }

    /** Words of all networks. */
    public static List<String> allCases() {
        return List.of(NetworkCase.values()).stream().map(NetworkCase::word).toList();
    }

    /** Words of all kinds of queues. */
    public static List<String> allQueues() {
        return List.of(Queues.values()).stream().map(Queues::word).toList();
    }

    /** Words of all ways in which ns-3 forwards. */
    public static List<String> allNs3() {
        return Ns3.MODES;
    }

    /** The same as a smoke. */
    public VirtualPlan ofSmoke() {
        return new VirtualPlan(
                cases, queues, ns3, htsim, 1, 1, SMOKE_SHARE, core, threadCores, seed, true);
    }

    List<NetworkCase> networks() {
        return cases.stream().map(word -> NetworkCase.of(word).orElseThrow()).toList();
    }

    long durationNs(NetworkCase network) {
        return Math.max(1, Math.round(network.durationNs() * durationShare));
    }
}
