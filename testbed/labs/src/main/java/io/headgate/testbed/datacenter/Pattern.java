package io.headgate.testbed.datacenter;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The pairs of ports that send to each other in a test. Ports are numbered from 1.
 *
 * @param name as tables show it: {@code 2:1} is two ports that send to one
 */
record Pattern(String name, List<Stream> streams) {
    Pattern {
        streams = List.copyOf(streams);
    }

    /** A stream of frames from one port to another. */
    record Stream(int from, int to) {}

    /** Streams from 1 to 3 ports, {@code senders} of them, to port 4. */
    static Pattern toOne(int senders) {
        return new Pattern(
                senders + ":1",
                IntStream.rangeClosed(1, senders).mapToObj(from -> new Stream(from, 4)).toList());
    }

    /** Two ports that are congested at the same time, each by another one. */
    static Pattern pairs() {
        return new Pattern("2 pairs", List.of(new Stream(1, 3), new Stream(2, 4)));
    }

    /** The ports that are sent to, ascending. */
    List<Integer> destinations() {
        return streams.stream().map(Stream::to).distinct().sorted().toList();
    }
}
