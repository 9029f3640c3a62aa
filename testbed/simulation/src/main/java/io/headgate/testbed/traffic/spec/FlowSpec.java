package io.headgate.testbed.traffic.spec;

import io.headgate.config.Withers;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.List;

/**
 * The definition of one flow.
 *
 * @param name name of its group in statistics, and of its random generators; unique unless flows
 *     are counted together
 * @param source number of the host that sends
 * @param destination number of the host that receives
 * @param startPs when its first frame is due at the earliest
 * @param stopPs time from which no further frame is made; {@link Long#MAX_VALUE}: never
 * @param sizeBytes size in bytes, as its segmentation counts them, at least 1; {@link #UNLIMITED}:
 *     no end
 * @param pattern when its frames are due
 * @param windowFrames maximum number of unacknowledged frames in flight, 1 to 2^20; {@link
 *     #DATAGRAMS}: no acknowledgements, lost frames are not sent again
 * @param shape what its frames look like
 * @param after flows of the same experiment that must be complete before this one begins, each sent
 *     or received by its source
 */
@Withers
public record FlowSpec(
        String name,
        int source,
        int destination,
        long startPs,
        long stopPs,
        long sizeBytes,
        SendPattern pattern,
        int windowFrames,
        FrameShape shape,
        List<After> after)
        implements FlowSpecBuilder.With {
    /**
     * A flow that another flow waits for.
     *
     * @param flow its index among the experiment's flows
     * @param delayPs time from its completion until the other may begin, 0 or more
     */
    public record After(int flow, long delayPs) {}

    /** A size without end. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** No acknowledgements, no window. */
    public static final int DATAGRAMS = 0;

    /** The largest window. */
    public static final int MAX_WINDOW_FRAMES = 1 << 20;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public FlowSpec {
        after = List.copyOf(after);
        requireRanges(name, startPs, stopPs, windowFrames);
        requireEcho(name, pattern, windowFrames, shape);
        requireReliable(name, windowFrames, shape);
        if (source == destination || sizeBytes < 1) {
            throw new IllegalArgumentException(
                    ("flow %s: %s bytes from host %s to host %s; it needs two hosts and at least a"
                                    + " byte")
                            .formatted(name, sizeBytes, source, destination));
        }
        if (pattern instanceof SendPattern.PoissonFrames
                && (sizeBytes != UNLIMITED || windowFrames != DATAGRAMS)) {
            throw new IllegalArgumentException(
                    ("flow %s: Poisson frames have sizes of their own and are datagrams; found a"
                                    + " size of %s B and a window of %s")
                            .formatted(name, sizeBytes, windowFrames));
        }
    }

    static void requireRanges(String name, long startPs, long stopPs, int windowFrames) {
        if (startPs < 0
                || stopPs < startPs
                || windowFrames < 0
                || windowFrames > MAX_WINDOW_FRAMES) {
            throw new IllegalArgumentException(
                    ("%s: from %s ps to %s ps with a window of %s frames; it must not begin before"
                                    + " 0 or after its end, and the window be 0 to %s")
                            .formatted(name, startPs, stopPs, windowFrames, MAX_WINDOW_FRAMES));
        }
    }

    /** Checks the requirements of a rate control that uses acknowledgements or marks. */
    static void requireEcho(String name, SendPattern pattern, int windowFrames, FrameShape shape) {
        if (!(pattern instanceof SendPattern.Controlled controlled)) {
            return;
        }
        if (controlled.needsMarks() && shape.ecn() == FrameShape.NOT_ECT) {
            throw new IllegalArgumentException(
                    ("%s: %s obeys marks; it needs frames that switches may mark, ECN code point 1"
                                    + " or 2 (found %s)")
                            .formatted(name, controlled.control().name(), shape.ecn()));
        }
        if (controlled.needsEcho() && windowFrames == DATAGRAMS) {
            throw new IllegalArgumentException(
                    "%s: %s needs acknowledgements: a window of at least 1 frame (found %s)"
                            .formatted(name, controlled.control().name(), windowFrames));
        }
        if (controlled.controls().needsConnections() && !shape.isReliable()) {
            throw new IllegalArgumentException(
                    "%s: %s needs what acknowledgements carry, so connections (transport: rocev2)"
                            .formatted(name, controlled.control().name()));
        }
    }

    /** Checks the requirements of a reliable connection. */
    static void requireReliable(String name, int windowFrames, FrameShape shape) {
        if (!shape.isReliable()) {
            return;
        }
        if (windowFrames == DATAGRAMS || shape.messages().bytes() < 1) {
            throw new IllegalArgumentException(
                    ("%s: a reliable connection needs a window of at least 1 frame (found %s), and"
                                    + " messages of at least 1 byte (found %s)")
                            .formatted(name, windowFrames, shape.messages().bytes()));
        }
    }

    /** A flow of datagrams without end, from the beginning, greedy. */
    public static FlowSpec greedy(String name, int source, int destination, FrameShape shape) {
        return new FlowSpec(
                name,
                source,
                destination,
                0,
                Long.MAX_VALUE,
                UNLIMITED,
                new SendPattern.Greedy(),
                DATAGRAMS,
                shape,
                List.of());
    }

    /** The same, between two times in ps. */
    public FlowSpec during(long fromPs, long toPs) {
        return with().startPs(fromPs).stopPs(toPs).build();
    }

    /** The flow between other hosts. */
    public FlowSpec between(int from, int to) {
        return with().source(from).destination(to).build();
    }
}
