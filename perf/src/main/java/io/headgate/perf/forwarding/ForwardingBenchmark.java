package io.headgate.perf.forwarding;

import io.headgate.config.Reason;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afxdp.AfXdpSupport;
import io.headgate.dataplane.device.afxdp.FrameGenerator;
import io.headgate.dataplane.device.afxdp.XdpPass;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Runs a {@link BenchPlan}: every round measures every device, in turn in either order. */
public final class ForwardingBenchmark implements AutoCloseable {
    private static final double NS_PER_SECOND = 1e9;
    private static final String AF_XDP = "afxdp";
    private static final int WARM_UP_PROBES = 30_000;

    private final BenchPlan plan;
    private final Consumer<String> log;
    private final Path directory;
    private final BenchNetwork network;
    private final List<Bench> benches = new CopyOnWriteArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, Object> headgateConfigs = new LinkedHashMap<>();
    private int nextNumber;

    /**
     * Prepares; nothing is started yet.
     *
     * @param directory an empty one, its path short, for sockets, configurations and logs
     * @param log takes progress, a line at a time
     */
    public ForwardingBenchmark(BenchPlan plan, Path directory, Consumer<String> log)
            throws BenchException {
        this.plan = plan;
        this.directory = directory;
        this.log = log;
        network = new BenchNetwork();
    }

    /** Measures everything. To be called once, by a thread that may be pinned. */
    public ForwardingResult run() throws BenchException {
        try {
            Affinity.pin(plan.generatorCore());
        } catch (IllegalArgumentException noSuchCore) {
            throw new BenchException(noSuchCore);
        }
        warmUpProbes();
        Map<Integer, Double> alone = generatorAlone();
        for (String attachment : plan.devices()) {
            addDevices(attachment);
        }
        if (plan.peers().contains("bridge")) {
            add(LinuxBridgeDevice.whyNot(), LinuxBridgeDevice::new);
        }
        List<Measurement> measurements = new ArrayList<>();
        long startNs = System.nanoTime();
        int cells = plan.pairs() * plan.sizesBytes().size();
        int cell = 0;
        for (int round = 0; round < plan.pairs(); round++) {
            for (int size : plan.sizesBytes()) {
                measureRound(round, size, measurements);
                cell++;
                double passed = (System.nanoTime() - startNs) / NS_PER_SECOND;
                log.accept(
                        String.format(
                                "round %d of %d, %d bytes: done; about %.0f s left",
                                round + 1, plan.pairs(), size, passed / cell * (cells - cell)));
            }
        }
        List<ForwardingResult.Subject> subjects = new ArrayList<>();
        for (Bench bench : benches) {
            DeviceUnderTest device = bench.device();
            subjects.add(
                    new ForwardingResult.Subject(
                            device.name(),
                            device.attachment(),
                            device.version(),
                            device.commands()));
        }
        return new ForwardingResult(plan, subjects, missing, headgateConfigs, alone, measurements);
    }

    private void addDevices(String attachment) throws BenchException {
        if (attachment.equals(AF_XDP)) {
            Optional<String> whyNot = AfXdpSupport.whyNot();
            if (whyNot.isPresent()) {
                missing.add(whyNot.get());
                return;
            }
        }
        addHeadgate(attachment, HeadgateDevice.Variant.PLAIN);
        if (plan.peers().contains("pfc")) {
            addHeadgate(attachment, HeadgateDevice.Variant.PFC);
        }
        if (plan.peers().contains("copy") && attachment.equals(AF_XDP)) {
            addHeadgate(attachment, HeadgateDevice.Variant.COPY);
        }
        if (plan.peers().contains("testpmd")) {
            add(TestpmdDevice.whyNot(), setting -> new TestpmdDevice(setting, attachment));
        }
        if (plan.peers().contains("ovs")) {
            add(OpenVswitchDevice.whyNot(), setting -> new OpenVswitchDevice(setting, attachment));
        }
    }

    private void addHeadgate(String attachment, HeadgateDevice.Variant variant)
            throws BenchException {
        add(
                Optional.empty(),
                setting -> {
                    HeadgateDevice device = new HeadgateDevice(setting, attachment, variant);
                    headgateConfigs.put(
                            device.name() + ", " + attachment,
                            SwitchConfigs.toMap(device.config()));
                    return device;
                });
    }

    private interface Maker {
        DeviceUnderTest make(Setting setting);
    }

    private void add(Optional<String> whyNot, Maker maker) throws BenchException {
        if (whyNot.isPresent()) {
            if (!missing.contains(whyNot.get())) {
                missing.add(whyNot.get());
                log.accept(whyNot.get());
            }
            return;
        }
        int number = nextNumber++;
        String netns = network.addDevice(number);
        Path own = directory.resolve("dut" + number);
        try {
            Files.createDirectories(own);
        } catch (IOException failure) {
            throw new BenchException("cannot make " + own + ": " + Reason.of(failure), failure);
        }
        DeviceUnderTest device =
                maker.make(new Setting(netns, plan.generatorCore(), plan.deviceCore(), own));
        log.accept("starting " + device.name() + " (" + device.attachment() + ")");
        Bench bench = new Bench(network, plan, number, netns, device);
        try {
            bench.start();
            benches.add(bench);
        } catch (BenchException failure) {
            bench.close();
            leaveOut(device, failure);
        }
    }

    /** Goes on without a peer; without the switch itself there is nothing to go on with. */
    private void leaveOut(DeviceUnderTest device, BenchException failure) throws BenchException {
        if (device instanceof HeadgateDevice) {
            throw failure;
        }
        String message = device.name() + " is left out: " + failure.getMessage();
        missing.add(message);
        log.accept(message);
    }

    private void measureRound(int round, int sizeBytes, List<Measurement> measurements)
            throws BenchException {
        List<Bench> order = new ArrayList<>(benches);
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        for (int position = 0; position < order.size(); position++) {
            Bench bench = order.get(position);
            try {
                measurements.add(bench.measure(sizeBytes, round, position));
            } catch (BenchException failure) {
                benches.remove(bench);
                bench.close();
                leaveOut(bench.device(), failure);
            }
        }
    }

    /** Has the JVM compile the prober, or what is measured first would look slow. */
    private void warmUpProbes() throws BenchException {
        if (!plan.saturate()) {
            return;
        }
        Random random = new Random(plan.seed());
        String generator = network.generatorNamespace();
        try (ProbePair pair =
                new ProbePair(generator, BenchNetwork.WIRE_LEFT, BenchNetwork.WIRE_RIGHT)) {
            for (int size : plan.sizesBytes()) {
                pair.roundTrips(
                        TestFrame.of(size, true, random),
                        TestFrame.of(size, false, random),
                        WARM_UP_PROBES,
                        0);
            }
        }
    }

    /** What the generator does by itself, in frames a second: the kernel drops on arrival. */
    private Map<Integer, Double> generatorAlone() throws BenchException {
        Map<Integer, Double> rates = new LinkedHashMap<>();
        int number = nextNumber++;
        String netns = network.addDevice(number);
        try (XdpPass _ = XdpPass.attach(netns, BenchNetwork.LEFT)) {
            for (int size : plan.sizesBytes()) {
                byte[] frame = TestFrame.of(size, true, new Random(plan.seed()));
                String generator = network.generatorNamespace();
                try (FrameGenerator sender =
                        new FrameGenerator(generator, BenchNetwork.left(number), frame)) {
                    long before =
                            BenchNetwork.statistics(netns, BenchNetwork.LEFT).receivedFrames();
                    double seconds = Math.min(plan.seconds(), 1);
                    FrameGenerator.Sent sent = sender.run(0, Math.round(seconds * NS_PER_SECOND));
                    long arrived =
                            BenchNetwork.statistics(netns, BenchNetwork.LEFT).receivedFrames()
                                    - before;
                    rates.put(size, arrived * NS_PER_SECOND / sent.durationNs());
                }
            }
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
        return rates;
    }

    /** Ends what was started and removes what was made. Idempotent; any thread. */
    @Override
    public void close() {
        benches.forEach(Bench::close);
        network.close();
    }
}
