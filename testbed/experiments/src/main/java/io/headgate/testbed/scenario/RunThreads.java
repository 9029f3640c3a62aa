package io.headgate.testbed.scenario;

/**
 * The number of threads that a run in virtual time uses. The results are the same with any number.
 *
 * @param count number of threads for a network that is large enough; at least 1
 * @param leastPorts minimum number of ports of such a network, counting two for each host
 */
public record RunThreads(int count, int leastPorts) {
    /** Maximum number of threads of a run. */
    public static final int MOST = 64;

    /**
     * Below that, threads wait for each other longer than they save: a turn of a small network is
     * over in less time than it takes to wake one.
     */
    private static final int LEAST_PORTS = 512;

    /** One thread for every network. */
    public static final RunThreads ONE = new RunThreads(1, 0);

    public RunThreads {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException(count + " threads; allowed are 1 to " + MOST);
        }
    }

    /** This number of threads for every network. */
    public static RunThreads of(int count) {
        return new RunThreads(count, 0);
    }

    /** Up to this number of threads, if they make a run faster. */
    public static RunThreads upTo(int count) {
        return new RunThreads(Math.clamp(count, 1, MOST), LEAST_PORTS);
    }

    /** The number of threads for a network with this number of ports. */
    public int forPorts(int ports) {
        return ports < leastPorts ? 1 : count;
    }
}
