package io.headgate.testbed.virtual;

import io.headgate.config.Withers;
import io.headgate.dataplane.queue.WireFormat;

/**
 * The options of a run. Only seed, wire and interleaving change its results.
 *
 * @param seed the root of every generator
 * @param wire bytes that each frame occupies on a link in addition to its own
 * @param digest whether a digest of all frames is kept
 * @param checking whether all invariants are checked after every instant, and every duty called
 *     once more, which must find nothing to do
 * @param extraCallsMeanPs duties are called without cause at random times, on average this far
 *     apart; 0: never
 * @param readAheadPorts least number of ports, two per host, of a run that reads what nodes need
 *     before it runs them; affects only speed
 * @param interleaving whether switches run as if each half had its own worker: while one half is in
 *     a call and reads the time, another may be called, at random
 * @param threads at least 1; affects only speed
 */
@Withers
public record RunOptions(
        long seed,
        WireFormat wire,
        boolean digest,
        boolean checking,
        long extraCallsMeanPs,
        int readAheadPorts,
        boolean interleaving,
        int threads)
        implements RunOptionsBuilder.With {

    public RunOptions {
        if (extraCallsMeanPs < 0) {
            throw new IllegalArgumentException("extra calls every " + extraCallsMeanPs + " ps");
        }
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
        }
    }

    /** Ethernet, with a digest and without checks. */
    public static RunOptions of(long seed) {
        return new RunOptions(
                seed,
                WireFormat.ETHERNET,
                true,
                false,
                0,
                GroupPrefetch.LEAST_PORTS_OF_RUN,
                false,
                1);
    }
}
