package io.headgate.perf.virtual;

/**
 * A flow of full frames, planned before the run so that every simulator gets the same.
 *
 * @param source number of the host that sends
 * @param destination number of the host that receives
 * @param frames how many; {@link #ENDLESS}: as long as the run
 */
record PlannedFlow(long startNs, int source, int destination, long frames) {
    static final long ENDLESS = 0;
}
