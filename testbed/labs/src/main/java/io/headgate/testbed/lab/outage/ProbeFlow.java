package io.headgate.testbed.lab.outage;

/**
 * A probe: numbered UDP datagrams from one host to another.
 *
 * @param from the sender's number, from 0
 * @param to the receiver's
 * @param startMs after the beginning
 * @param seconds for which they are sent
 * @param intervalNs between two
 * @param dscp of the packets, 0 to 63
 */
public record ProbeFlow(int from, int to, long startMs, int seconds, long intervalNs, int dscp) {}
