package io.headgate.testbed.traffic.spec;

import io.headgate.config.Withers;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.ArrayList;
import java.util.List;

/**
 * A source of flows: one host begins them one after the other.
 *
 * @param name of their group in statistics, and of the random generators; sources at several hosts
 *     may share it and still draw independently
 * @param source number of the host that sends
 * @param destinations numbers of the hosts that receive, each flow's drawn uniformly; the source
 *     itself is left out
 * @param process when flows begin
 * @param sizes their sizes
 * @param startPs when the source begins
 * @param stopPs time from which no flow begins; {@link Long#MAX_VALUE}: never
 * @param pattern when a flow's frames are due
 * @param windowFrames as {@link FlowSpec#windowFrames}
 * @param shape what frames look like
 */
@Withers
public record ArrivalSpec(
        String name,
        int source,
        List<Integer> destinations,
        ArrivalProcess process,
        SizeDistribution sizes,
        long startPs,
        long stopPs,
        SendPattern pattern,
        int windowFrames,
        FrameShape shape)
        implements ArrivalSpecBuilder.With {
    /**
     * @throws IllegalArgumentException if a value is out of its range, no destination is left, or
     *     the pattern has sizes of its own
     */
    public ArrivalSpec {
        FlowSpec.requireRanges(name, startPs, stopPs, windowFrames);
        FlowSpec.requireEcho(name, pattern, windowFrames, shape);
        FlowSpec.requireReliable(name, windowFrames, shape);
        List<Integer> others = new ArrayList<>(destinations);
        others.removeIf(host -> host == source);
        destinations = List.copyOf(others);
        if (destinations.isEmpty() || pattern instanceof SendPattern.PoissonFrames) {
            throw new IllegalArgumentException(
                    ("%s: %s destinations other than its source, frames due as %s; a destination"
                                    + " is needed, and a pattern without sizes of its own")
                            .formatted(name, destinations.size(), pattern));
        }
    }

    /** Greedy flows of datagrams, from the beginning, without end. */
    public static ArrivalSpec of(
            String name,
            int source,
            List<Integer> destinations,
            ArrivalProcess process,
            SizeDistribution sizes,
            FrameShape shape) {
        return new ArrivalSpec(
                name,
                source,
                destinations,
                process,
                sizes,
                0,
                Long.MAX_VALUE,
                new SendPattern.Greedy(),
                FlowSpec.DATAGRAMS,
                shape);
    }

    /**
     * Incast: at the same times, every sender sends the same number of bytes to one receiver.
     *
     * @param bytesEach size of each sender's flow
     * @param periodPs time between two incasts, in ps
     * @param jitterPs how late each sender may be, in ps, drawn uniformly; 0: none
     */
    public static List<ArrivalSpec> incast(
            String name,
            List<Integer> senders,
            int receiver,
            long bytesEach,
            long periodPs,
            long jitterPs,
            FrameShape shape) {
        List<ArrivalSpec> sources = new ArrayList<>();
        for (int sender : senders) {
            sources.add(
                    of(
                            name,
                            sender,
                            List.of(receiver),
                            new ArrivalProcess.Periodic(periodPs, jitterPs),
                            SizeDistribution.fixed(bytesEach),
                            shape));
        }
        return sources;
    }

    /** The same, between two times in ps. */
    public ArrivalSpec during(long fromPs, long toPs) {
        return with().startPs(fromPs).stopPs(toPs).build();
    }
}
