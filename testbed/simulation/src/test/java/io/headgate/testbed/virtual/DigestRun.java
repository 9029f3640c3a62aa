package io.headgate.testbed.virtual;

import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.time.VirtualClock;

/** A run with a bit of everything, whose digest tests compare; also by itself, in a child JVM. */
final class DigestRun {
    private static final long RATE_BPS = 40_000_000_000L;
    private static final long MICROSECOND = 1_000_000;
    private static final int HOSTS = 5;

    static final long END_PS = 150 * MICROSECOND;

    private DigestRun() {}

    /** Prints the digest for the seed that is the only argument. */
    public static void main(String[] args) {
        System.out.printf("digest %016x%n", digest(RunOptions.of(Long.parseLong(args[0]))));
    }

    static long digest(RunOptions options) {
        VirtualRun run = run(options);
        run.runUntil(END_PS);
        return run.digest();
    }

    static VirtualRun run(RunOptions options) {
        VirtualRun run = new VirtualRun(options);
        LinkFaults faults =
                LinkFaults.NONE
                        .withLossProbability(0.01)
                        .withCorruptionProbability(0.01)
                        .withReorderProbability(0.02)
                        .withReorderDelayPs(MICROSECOND)
                        .withJitterPs(20_000)
                        .withDownMeanPs(5 * MICROSECOND)
                        .withUpMeanPs(60 * MICROSECOND);
        Star star = new Star(run, HOSTS, new LinkSpec(RATE_BPS, 500_000).withFaults(faults));
        for (int host = 0; host < HOSTS; host++) {
            star.host(host).attachApp(traffic(run, host));
        }
        // A second card, straight at the first host's: no switch, slots held to the end, credits.
        var near = run.addHost(nic("near"));
        var far = run.addHost(nic("far"));
        run.connect(
                near,
                HostCard.WIRE,
                far,
                HostCard.WIRE,
                new LinkSpec(RATE_BPS, 30_000)
                        .withRelease(LinkSpec.Release.END)
                        .withDeliverAt(LinkSpec.Delivery.HEADER)
                        .withSlotCredits(true));
        near.attachApp(new TestTraffic(run.clock(), 7, 8, 300, 0, 0, Long.MAX_VALUE));
        far.attachApp(new TestTraffic(run.clock(), 8, 7, 1518, 11, 1000, Long.MAX_VALUE));
        return run;
    }

    private static CardSetup nic(String name) {
        return CardSetup.of(name, RATE_BPS).withAppRateBps(10_000_000_000L).withSlots(4, 6, 512);
    }

    /** Two that send as fast as they can, one at times of its own, one to everybody, one silent. */
    private static TestTraffic traffic(VirtualRun run, int host) {
        VirtualClock clock = run.clock();
        long firstNs = run.random("h" + host, "start").nextLong(1000);
        return switch (host) {
            case 0 -> new TestTraffic(clock, host, 3, 1000, firstNs, 0, Long.MAX_VALUE);
            case 1 -> new TestTraffic(clock, host, 3, 64, firstNs, 0, 2000);
            case 2 -> new TestTraffic(clock, host, 1, 777, firstNs, 333, Long.MAX_VALUE);
            case 3 -> new TestTraffic(clock, host, 99, 200, firstNs, 5000, Long.MAX_VALUE);
            default -> new TestTraffic(clock, host);
        };
    }
}
