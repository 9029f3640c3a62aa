package io.headgate.perf.forwarding;

import java.util.List;

/**
 * A two-port device, standing between {@link BenchNetwork#LEFT} and {@link BenchNetwork#RIGHT} of
 * its namespace. Started once; stopped while another one is measured.
 */
interface DeviceUnderTest extends AutoCloseable {

    /** What a person calls it. */
    String name();

    /** How it reaches its interfaces: {@code afpacket}, {@code afxdp} or {@code kernel}. */
    String attachment();

    /** Which of it was measured. */
    String version();

    /** The commands that set it up, in order. */
    List<String> commands();

    /** Starts it; answers once it forwards or is about to. */
    void start() throws BenchException;

    /** Leaves it its cores, or takes them away. */
    void run(boolean running) throws BenchException;

    /** Ends it. Idempotent. */
    @Override
    void close();
}
