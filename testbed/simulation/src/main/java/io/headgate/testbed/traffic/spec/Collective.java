package io.headgate.testbed.traffic.spec;

import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayList;
import java.util.List;

/**
 * A collective operation of a training job as flows that wait for one another: of n ranks, numbered
 * from 0, each with a vector of {@code sizeBytes}, cut into n parts. The algorithms are those of
 * Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH",
 * IJHPCA 2005.
 *
 * @param ranks at least 2; a power of two for {@link Algorithm#HALVING_DOUBLING}
 * @param sizeBytes of each rank's vector, or of each send of a pipeline; at least a byte for each
 *     part of each chunk
 * @param chunks number of chunks of a vector; each chunk has its own flows, which wait only for one
 *     another. In a pipeline: number of sends of each stage, one after the other
 * @param computePs computing time of a rank before it forwards received data: for a reduction's
 *     sum, or for a stage of a pipeline
 */
public record Collective(
        Kind kind, Algorithm algorithm, int ranks, long sizeBytes, int chunks, long computePs) {

    /** The result of the operation at the ranks. */
    public enum Kind {
        /** All have the sum of all vectors. */
        ALL_REDUCE,
        /** Each has its part of the sum. */
        REDUCE_SCATTER,
        /** All have each rank's part. */
        ALL_GATHER,
        /** Each has its part of every rank's vector. */
        ALL_TO_ALL,
        /** The last has what the first sent, by way of all others. */
        PIPELINE
    }

    /** In which steps. */
    public enum Algorithm {
        /** n - 1 steps of one part each to the next rank; an all-reduce has twice that. */
        RING,
        /**
         * log n steps. In a reduce-scatter each is with a nearer rank and has half the bytes, in an
         * all-gather each is with a farther one and has twice the bytes.
         */
        HALVING_DOUBLING,
        /** All sends of an all-to-all begin together. */
        AT_ONCE,
        /** In step k of an all-to-all each sends to the rank k further on. */
        SHIFT
    }

    /**
     * A flow of it.
     *
     * @param offsetPs from when the collective begins until this may, at the earliest
     * @param after what it waits for, by places in the list
     */
    public record Send(
            int from, int to, long sizeBytes, int chunk, long offsetPs, List<After> after) {
        public Send {
            after = List.copyOf(after);
        }
    }

    /**
     * @throws IllegalArgumentException in a sentence, with what is allowed, if these do not go
     *     together
     */
    public Collective {
        boolean isRing = algorithm == Algorithm.RING;
        boolean isHalving = algorithm == Algorithm.HALVING_DOUBLING;
        if (kind != Kind.PIPELINE && (kind == Kind.ALL_TO_ALL) == (isRing || isHalving)) {
            throw new IllegalArgumentException(
                    "this algorithm"
                            + Workloads.ALLOWED
                            + (kind == Kind.ALL_TO_ALL
                                    ? "at-once or shift with all-to-all"
                                    : "ring or halving-doubling"));
        }
        if (ranks < 2 || (kind != Kind.PIPELINE && isHalving && Integer.bitCount(ranks) != 1)) {
            throw new IllegalArgumentException(
                    ranks
                            + (ranks == 1 ? " rank" : " ranks")
                            + Workloads.ALLOWED
                            + (isHalving ? "a power of two" : "2 or more"));
        }
        long parts = kind == Kind.PIPELINE ? 1 : (long) ranks * chunks;
        if (chunks < 1 || sizeBytes < parts) {
            throw new IllegalArgumentException(
                    "%s bytes of %s parts%sat least a byte for each rank's part of each chunk"
                            .formatted(sizeBytes, parts, Workloads.ALLOWED));
        }
    }

    /** The number of its flows. */
    public long flows() {
        long steps =
                algorithm == Algorithm.HALVING_DOUBLING
                        ? Integer.numberOfTrailingZeros(ranks)
                        : ranks - 1;
        long times = kind == Kind.ALL_REDUCE ? 2 : 1;
        return kind == Kind.PIPELINE ? (ranks - 1L) * chunks : times * steps * ranks * chunks;
    }

    /** Its flows; each is after those that it waits for. */
    public List<Send> sends() {
        List<Send> sends = new ArrayList<>();
        if (kind == Kind.PIPELINE) {
            addPipeline(sends);
            return sends;
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            switch (algorithm) {
                case RING -> addRing(sends, chunk);
                case HALVING_DOUBLING -> addHalvingDoubling(sends, chunk);
                case AT_ONCE, SHIFT -> addAllToAll(sends, chunk);
            }
        }
        return sends;
    }

    /** Bytes of some of the parts of a chunk. */
    private long bytes(int chunk, int first, int count) {
        long from = border((long) chunk * ranks + first);
        return border((long) chunk * ranks + first + count) - from;
    }

    private long border(long part) {
        long parts = (long) ranks * chunks;
        return sizeBytes / parts * part + sizeBytes % parts * part / parts;
    }

    private void addRing(List<Send> sends, int chunk) {
        int half = ranks - 1;
        int steps = kind == Kind.ALL_REDUCE ? 2 * half : half;
        // Step s sends what step s - 1 brought; a reduce-scatter ends with each rank's own part.
        int lead = kind == Kind.ALL_GATHER ? 0 : 1;
        int first = sends.size();
        for (int step = 0; step < steps; step++) {
            for (int rank = 0; rank < ranks; rank++) {
                int part = Math.floorMod(rank - step - lead, ranks);
                int previous = first + (step - 1) * ranks + Math.floorMod(rank - 1, ranks);
                sends.add(
                        new Send(
                                rank,
                                (rank + 1) % ranks,
                                bytes(chunk, part, 1),
                                chunk,
                                0,
                                step == 0
                                        ? List.of()
                                        : List.of(new After(previous, sumPs(step, half)))));
            }
        }
    }

    /** The sum that a rank makes of what a step of the reduce-scatter brought. */
    private long sumPs(int step, int stepsOfReduction) {
        return kind != Kind.ALL_GATHER && step <= stepsOfReduction ? computePs : 0;
    }

    private void addHalvingDoubling(List<Send> sends, int chunk) {
        int half = Integer.numberOfTrailingZeros(ranks);
        List<Integer> distances = new ArrayList<>();
        for (int step = 0; kind != Kind.ALL_GATHER && step < half; step++) {
            distances.add(ranks >> (step + 1));
        }
        for (int step = 0; kind != Kind.REDUCE_SCATTER && step < half; step++) {
            distances.add(1 << step);
        }
        int first = sends.size();
        for (int step = 0; step < distances.size(); step++) {
            int distance = distances.get(step);
            boolean isReduction = kind != Kind.ALL_GATHER && step < half;
            for (int rank = 0; rank < ranks; rank++) {
                int to = rank ^ distance;
                // Halving sends the parts that the other keeps, doubling those that it has itself.
                int block = (isReduction ? to : rank) & -distance;
                List<After> after = List.of();
                if (step > 0) {
                    int from = rank ^ distances.get(step - 1);
                    after =
                            List.of(
                                    new After(
                                            first + (step - 1) * ranks + from, sumPs(step, half)));
                }
                sends.add(new Send(rank, to, bytes(chunk, block, distance), chunk, 0, after));
            }
        }
    }

    private void addAllToAll(List<Send> sends, int chunk) {
        int first = sends.size();
        for (int step = 1; step < ranks; step++) {
            for (int rank = 0; rank < ranks; rank++) {
                int to = (rank + step) % ranks;
                List<After> after = List.of();
                if (algorithm == Algorithm.SHIFT && step > 1) {
                    int previous = first + (step - 2) * ranks;
                    int received = previous + Math.floorMod(rank - step + 1, ranks);
                    after = List.of(new After(previous + rank, 0), new After(received, 0));
                }
                sends.add(new Send(rank, to, bytes(chunk, to, 1), chunk, 0, after));
            }
        }
    }

    /** Each stage computes on what came, then sends it on, one after the other. */
    private void addPipeline(List<Send> sends) {
        int stages = ranks - 1;
        for (int chunk = 0; chunk < chunks; chunk++) {
            for (int rank = 0; rank < stages; rank++) {
                List<After> after = new ArrayList<>();
                int here = chunk * stages + rank;
                if (chunk > 0) {
                    after.add(new After(here - stages, 0));
                }
                if (rank > 0) {
                    after.add(new After(here - 1, computePs));
                }
                long offsetPs = rank == 0 ? (chunk + 1) * computePs : 0;
                sends.add(new Send(rank, rank + 1, sizeBytes, 0, offsetPs, after));
            }
        }
    }
}
