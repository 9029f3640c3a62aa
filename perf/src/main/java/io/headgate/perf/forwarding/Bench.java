package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afxdp.FrameGenerator;
import io.headgate.dataplane.device.afxdp.XdpPass;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A device under test with the interfaces that load and probe it. Used only by the pinned thread.
 */
final class Bench implements AutoCloseable {
    private static final long SETTLE_NS = 100_000_000;
    private static final double LOW_RATE_FPS = 5_000;
    private static final long PROBE_GAP_NS = 100_000;
    private static final int LEARN_TRIES = 50;
    private static final int CHECKED_FRAMES = 50;

    /** A machine that is busy with other things loses something now and then. */
    private static final int CHECK_TRIES = 5;

    private static final int DRAIN_POLL_MS = 5;
    private static final int DRAIN_QUIET_POLLS = 4;
    private static final int DRAIN_POLLS = 200;
    private static final double ABOVE_SATURATED = 1.05;
    private static final double NS_PER_SECOND = 1e9;

    private final BenchNetwork network;
    private final BenchPlan plan;
    private final int number;
    private final String netns;
    private final DeviceUnderTest device;
    private final @Nullable XdpPass leftPass;
    private final @Nullable XdpPass rightPass;

    private record Load(long arrived, long forwarded, long durationNs) {
        double offeredFps() {
            return arrived * NS_PER_SECOND / durationNs;
        }

        double forwardedFps() {
            return forwarded * NS_PER_SECOND / durationNs;
        }
    }

    Bench(BenchNetwork network, BenchPlan plan, int number, String netns, DeviceUnderTest device)
            throws BenchException {
        this.network = network;
        this.plan = plan;
        this.number = number;
        this.netns = netns;
        this.device = device;
        try {
            // AF_XDP devices bring their own program; for the others one that lets frames pass
            // makes the veth receive as a network card does.
            boolean own = device.attachment().equals("afxdp");
            leftPass = own ? null : XdpPass.attach(netns, BenchNetwork.LEFT);
            rightPass = own ? null : XdpPass.attach(netns, BenchNetwork.RIGHT);
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    DeviceUnderTest device() {
        return device;
    }

    /** Starts the device, checks it, runs it warm, and halts it. */
    void start() throws BenchException {
        device.start();
        if (plan.warmUpSeconds() > 0) {
            for (int size : new int[] {64, 1518}) {
                check(size);
                load(size, 0, ns(plan.warmUpSeconds() / 2));
            }
        }
        drain();
        device.run(false);
    }

    Measurement measure(int sizeBytes, int round, int position) throws BenchException {
        device.run(true);
        try {
            check(sizeBytes);
            Load low = lowRate(sizeBytes);
            double offered = -1;
            double forwarded = -1;
            double zeroLoss = -1;
            if (plan.saturate()) {
                load(sizeBytes, 0, SETTLE_NS);
                Load saturated = load(sizeBytes, 0, ns(plan.seconds()));
                offered = saturated.offeredFps();
                forwarded = saturated.forwardedFps();
                zeroLoss = search(sizeBytes, forwarded);
            }
            return withLatency(
                    sizeBytes, round, position, new double[] {offered, forwarded, zeroLoss}, low);
        } finally {
            device.run(false);
        }
    }

    private Measurement withLatency(
            int sizeBytes, int round, int position, double[] rates, Load low)
            throws BenchException {
        String generator = network.generatorNamespace();
        ProbePair.RoundTrips wire =
                probe(generator, BenchNetwork.WIRE_LEFT, BenchNetwork.WIRE_RIGHT, sizeBytes);
        ProbePair.RoundTrips through =
                probe(generator, BenchNetwork.left(number), BenchNetwork.right(number), sizeBytes);
        return new Measurement(
                device.name(),
                device.attachment(),
                sizeBytes,
                round,
                position,
                rates[0],
                rates[1],
                rates[2],
                low.arrived,
                low.forwarded,
                wire.ns().getValueAtPercentile(50),
                through.ns().getValueAtPercentile(50),
                added(through.ns(), wire.ns(), 50),
                added(through.ns(), wire.ns(), 99),
                added(through.ns(), wire.ns(), 99.9),
                through.lost());
    }

    private static long added(Histogram through, Histogram wire, double percentile) {
        return through.getValueAtPercentile(percentile) - wire.getValueAtPercentile(percentile);
    }

    private ProbePair.RoundTrips probe(String netns, String left, String right, int sizeBytes)
            throws BenchException {
        Random random = new Random(plan.seed());
        byte[] there = TestFrame.of(sizeBytes, true, random);
        byte[] back = TestFrame.of(sizeBytes, false, random);
        try (ProbePair pair = new ProbePair(netns, left, right)) {
            pair.roundTrips(there, back, Math.max(1, plan.probes() / 4), PROBE_GAP_NS);
            return pair.roundTrips(there, back, plan.probes(), PROBE_GAP_NS);
        }
    }

    /**
     * Has the device learn both stations, and sees that frames of any content come through
     * unaltered.
     */
    private void check(int sizeBytes) throws BenchException {
        Random random = new Random(plan.seed());
        String generator = network.generatorNamespace();
        try (ProbePair pair =
                new ProbePair(generator, BenchNetwork.left(number), BenchNetwork.right(number))) {
            exchange(pair, sizeBytes, true, LEARN_TRIES, random);
            exchange(pair, sizeBytes, false, LEARN_TRIES, random);
            for (int count = 0; count < CHECKED_FRAMES; count++) {
                exchange(pair, sizeBytes, count % 2 == 0, CHECK_TRIES, random);
            }
        }
    }

    private void exchange(ProbePair pair, int sizeBytes, boolean toRight, int tries, Random random)
            throws BenchException {
        for (int attempt = 0; attempt < tries; attempt++) {
            if (pair.exchange(TestFrame.of(sizeBytes, toRight, random), toRight)) {
                return;
            }
        }
        throw new BenchException(
                String.format(
                        "%s does not forward frames of %d bytes unaltered to the %s",
                        describe(), sizeBytes, toRight ? "right" : "left"));
    }

    /** At a low rate everything must come through; a busy machine gets some tries. */
    private Load lowRate(int sizeBytes) throws BenchException {
        Load low = load(sizeBytes, LOW_RATE_FPS, ns(Math.min(plan.seconds(), 0.5)));
        for (int tries = 1; tries < CHECK_TRIES && low.forwarded != low.arrived; tries++) {
            low = load(sizeBytes, LOW_RATE_FPS, ns(Math.min(plan.seconds(), 0.5)));
        }
        if (low.forwarded != low.arrived && device instanceof HeadgateDevice) {
            throw new BenchException(
                    String.format(
                            "%s forwarded %d of %d frames of %d bytes at %.0f frames/s; the"
                                    + " counts should agree",
                            describe(), low.forwarded, low.arrived, sizeBytes, LOW_RATE_FPS));
        }
        return low;
    }

    private double search(int sizeBytes, double saturatedFps) throws BenchException {
        double without = 0;
        double with = saturatedFps * ABOVE_SATURATED;
        for (int trial = 0; trial < plan.searchTrials(); trial++) {
            double rate = (without + with) / 2;
            Load load = load(sizeBytes, rate, ns(plan.searchSeconds()));
            if (load.forwarded == load.arrived) {
                without = Math.max(without, Math.min(rate, load.offeredFps()));
            } else {
                with = rate;
            }
        }
        return plan.searchTrials() == 0 ? -1 : without;
    }

    private Load load(int sizeBytes, double framesPerSec, long durationNs) throws BenchException {
        String generator = network.generatorNamespace();
        byte[] frame = TestFrame.of(sizeBytes, true, new Random(plan.seed()));
        long arrivedBefore = arrived();
        long forwardedBefore = forwarded();
        network.takeXdpFrames(number, plan.sendsXdpFrames());
        try (FrameGenerator sender =
                new FrameGenerator(generator, BenchNetwork.left(number), frame)) {
            FrameGenerator.Sent sent = sender.run(framesPerSec, durationNs);
            drain();
            return new Load(
                    arrived() - arrivedBefore, forwarded() - forwardedBefore, sent.durationNs());
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        } finally {
            network.takeXdpFrames(number, false);
        }
    }

    private void drain() throws BenchException {
        long last = forwarded();
        int quiet = 0;
        for (int poll = 0; poll < DRAIN_POLLS && quiet < DRAIN_QUIET_POLLS; poll++) {
            Commands.pause(DRAIN_POLL_MS);
            long now = forwarded();
            quiet = now == last ? quiet + 1 : 0;
            last = now;
        }
    }

    private long arrived() throws BenchException {
        return BenchNetwork.statistics(netns, BenchNetwork.LEFT).receivedFrames();
    }

    private long forwarded() throws BenchException {
        String generator = network.generatorNamespace();
        return BenchNetwork.statistics(generator, BenchNetwork.right(number)).receivedFrames();
    }

    private String describe() {
        return device.name() + " (" + device.attachment() + ")";
    }

    private static long ns(double seconds) {
        return Math.round(seconds * NS_PER_SECOND);
    }

    @Override
    public void close() {
        device.close();
        if (leftPass != null) {
            leftPass.close();
        }
        if (rightPass != null) {
            rightPass.close();
        }
    }
}
