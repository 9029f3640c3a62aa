package io.headgate.testbed.traffic;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import org.jspecify.annotations.Nullable;

/** Begins the flows of an {@link ArrivalSpec}, one after another. Owned by its host's device. */
final class FlowSource extends Timed implements Flow.Origin {
    private final FlowStarter host;
    private final FlowScheduler scheduler;
    private final long seed;
    private final ArrivalSpec spec;
    private final FlowGroup group;
    private final FrameShape shape;
    private final String owner;
    private final int[] destinations;
    private final NamedRandom times;
    private final NamedRandom sizes;
    private final NamedRandom choices;
    private long flowsBegun;

    // All that it sends, where its connection is kept; null before the first.
    private @Nullable Flow connection;

    private long periodStartPs;

    /**
     * @param owner name of its random generator, unique in the run
     * @param order as {@link Timed#order}
     */
    FlowSource(
            FlowStarter host,
            FlowScheduler scheduler,
            ArrivalSpec spec,
            FlowGroup group,
            long seed,
            String owner,
            int order) {
        super(order);
        this.host = host;
        this.scheduler = scheduler;
        this.seed = seed;
        this.spec = spec;
        this.group = group;
        this.owner = owner;
        this.destinations = spec.destinations().stream().mapToInt(Integer::intValue).toArray();
        this.times = NamedRandom.of(seed, owner, "times");
        this.sizes = NamedRandom.of(seed, owner, "sizes");
        this.choices = NamedRandom.of(seed, owner, "destinations");
        this.shape = shapeOf(spec, seed, owner);
    }

    /** In a closed loop all flows have one source port, so that to a switch they are one flow. */
    private static FrameShape shapeOf(ArrivalSpec spec, long seed, String owner) {
        FrameShape shape = spec.shape();
        if (shape.sourcePort() == 0 && spec.process() instanceof ArrivalProcess.ClosedLoop) {
            NamedRandom port = NamedRandom.of(seed, owner, "port");
            return shape.withSourcePort(
                    TrafficHosts.FIRST_SOURCE_PORT + port.nextInt(TrafficHosts.SOURCE_PORTS));
        }
        return shape;
    }

    void begin() {
        periodStartPs = spec.startPs();
        waitUntil(
                switch (spec.process()) {
                    case ArrivalProcess.Poisson poisson ->
                            spec.startPs() + exponential(poisson.meanIntervalPs());
                    case ArrivalProcess.Periodic periodic -> periodStartPs + jitter(periodic);
                    case ArrivalProcess.ClosedLoop loop ->
                            spec.startPs() + exponential(loop.meanSleepPs());
                });
    }

    @Override
    void onDue() {
        int destination = destinations[choices.nextInt(destinations.length)];
        long sizeBytes = spec.sizes().sampleBytes(sizes);
        flowsBegun++;
        Flow kept = connection;
        if (kept != null) {
            host.carry(kept, duePs, sizeBytes);
            return;
        }
        Pacing pacing =
                spec.pattern() instanceof SendPattern.Greedy
                        ? null
                        : Pacing.of(spec.pattern(), seed, owner + "/" + flowsBegun);
        if (spec.process() instanceof ArrivalProcess.ClosedLoop loop && loop.kept()) {
            kept = host.keep(this, group, shape, destination, spec.windowFrames(), pacing);
            connection = kept;
            host.carry(kept, duePs, sizeBytes);
            return;
        }
        host.release(
                host.hold(this, group, shape, destination, sizeBytes, spec.windowFrames(), pacing),
                duePs);
        switch (spec.process()) {
            case ArrivalProcess.Poisson poisson ->
                    waitUntil(duePs + exponential(poisson.meanIntervalPs()));
            case ArrivalProcess.Periodic periodic -> {
                periodStartPs += periodic.periodPs();
                waitUntil(periodStartPs + jitter(periodic));
            }
            case ArrivalProcess.ClosedLoop loop -> {
                // Goes on when the flow's last frame has left the network card.
            }
        }
    }

    @Override
    public boolean isClosedLoop() {
        return spec.process() instanceof ArrivalProcess.ClosedLoop;
    }

    @Override
    public void onDeparture(long nowPs) {
        if (spec.process() instanceof ArrivalProcess.ClosedLoop loop) {
            waitUntil(nowPs + exponential(loop.meanSleepPs()));
        }
    }

    private void waitUntil(long ps) {
        if (ps < spec.stopPs()) {
            duePs = ps;
            scheduler.wait(this);
        }
    }

    private long exponential(double meanPs) {
        return (long) Math.floor(times.nextExponential(meanPs) + 0.5);
    }

    private long jitter(ArrivalProcess.Periodic periodic) {
        return periodic.jitterPs() == 0 ? 0 : times.nextLong(periodic.jitterPs());
    }
}
