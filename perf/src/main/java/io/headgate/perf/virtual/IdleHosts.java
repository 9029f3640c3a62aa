package io.headgate.perf.virtual;

import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.virtual.HostNode;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.VirtualTraffic;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** Measures the memory of an idle host: its card, its application, its half of a link. */
final class IdleHosts {
    /** What asks for this in place of a case. */
    static final String WORD = "idle-hosts";

    private static final int HOSTS = 2_000;
    private static final long RATE_BPS = 40_000_000_000L;
    private static final long DELAY_PS = 1_000_000;
    private static final long RUN_PS = 1_000_000_000;
    private static final int COLLECTIONS = 3;

    private IdleHosts() {}

    /**
     * Bytes that a run with many hosts, linked in pairs, holds per host: heap and off-heap memory;
     * slots count with their reserved size.
     */
    static long bytesPerHost() {
        build(2); // classes and what all hosts share
        long before = usedHeapBytes();
        List<HostNode> hosts = build(HOSTS);
        try {
            long bytes = usedHeapBytes() - before;
            for (HostNode host : hosts) {
                bytes +=
                        host.engine().region().allocation().byteSize()
                                + host.engine().counters().valuesBytes();
            }
            return bytes / HOSTS;
        } finally {
            Reference.reachabilityFence(hosts);
        }
    }

    private static List<HostNode> build(int count) {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withDigest(false));
        Traffic traffic = VirtualTraffic.of(run, Traffic.Options.DEFAULT);
        List<HostNode> hosts = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            String name = "h" + number;
            HostNode host = run.addHost(CardSetup.of(name, RATE_BPS));
            int address = number + 1;
            VirtualTraffic.addHost(traffic, host, new HostAddress(name, address, address, 0));
            hosts.add(host);
            if (number % 2 == 1) {
                run.connect(
                        hosts.get(number - 1),
                        HostCard.WIRE,
                        host,
                        HostCard.WIRE,
                        new LinkSpec(RATE_BPS, DELAY_PS));
            }
        }
        run.runUntil(RUN_PS);
        return hosts;
    }

    private static long usedHeapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
