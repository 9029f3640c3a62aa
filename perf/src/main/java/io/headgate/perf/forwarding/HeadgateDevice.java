package io.headgate.perf.forwarding;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.BuildInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** This project's switch in a JVM of its own: bridging, learning, accounting, pacing. */
final class HeadgateDevice extends DeviceUnderTest {
    private static final long RATE_BPS = 100_000_000_000L;
    private static final long READY_SECONDS = 60;

    /** Every frame of the benchmark's in a lossless priority, found by DSCP. */
    private static final PortTraffic PFC =
            PortTraffic.NONE
                    .with("flow-control", FlowControlConfig.Mode.PFC)
                    .with("classify.trust", TrafficConfig.Trust.DSCP)
                    .with("lossless", List.of(0));

    private static final long PFC_DELAY_NS = 1_000;

    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    /** The settings of Headgate, which can also be its own peer. */
    enum Variant {
        /** As it comes. */
        PLAIN("Headgate", ""),
        /** Ports have flow control, which is never in need of a pause here. */
        PFC("Headgate with PFC", "-pfc"),
        /** Bursts go through the socket, too ({@code transmit: copy}). */
        COPY("Headgate, transmit: copy", "-copy");

        private final String title;
        private final String suffix;

        Variant(String title, String suffix) {
            this.title = title;
            this.suffix = suffix;
        }
    }

    private final Variant variant;
    private final SwitchConfig config;

    HeadgateDevice(Setting setting, String attachment, Variant variant) {
        super(setting, variant.title, attachment);
        this.variant = variant;
        WorkerConfig workers =
                ConfigDefaults.WORKERS
                        .withLayout(WorkerConfig.Layout.SINGLE)
                        .withIdle(WorkerConfig.Idle.BUSY_SPIN)
                        .withCores(List.of(setting.deviceCore()));
        List<PortConfig> ports =
                List.of(port("left", BenchNetwork.LEFT), port("right", BenchNetwork.RIGHT));
        config = ConfigDefaults.bridge("bench", ports).withWorkers(workers);
    }

    private PortConfig port(String name, String interfaceName) {
        DeviceConfig device =
                attachment().equals("afxdp")
                        ? new DeviceConfig.AfXdp(
                                interfaceName,
                                setting.netns(),
                                0,
                                DeviceConfig.XdpMode.AUTO,
                                variant == Variant.COPY
                                        ? DeviceConfig.XdpTransmit.COPY
                                        : DeviceConfig.XdpTransmit.AUTO,
                                ConfigDefaults.AF_XDP_RING_FRAMES)
                        : new DeviceConfig.AfPacket(
                                interfaceName,
                                setting.netns(),
                                ConfigDefaults.AF_PACKET_RING_FRAMES);
        PortConfig defaults = ConfigDefaults.port(name, device);
        boolean pfc = variant == Variant.PFC;
        PortTraffic.End end =
                pfc
                        ? PFC.at(RATE_BPS, defaults.mtuBytes(), PFC_DELAY_NS, 0)
                        : PortTraffic.End.PLAIN;
        return defaults.withRateBps(RATE_BPS)
                // Lossy priorities leave room for what the lossless one is promised.
                .withAccountCapSlots(
                        pfc ? defaults.accountCapSlots() / 2 : defaults.accountCapSlots())
                .withTraffic(end.traffic())
                .withFlowControl(end.flowControl());
    }

    @Override
    String version() {
        BuildInfo build = BuildInfo.read();
        return build.version()
                + ", commit "
                + build.commit()
                + (build.localChanges() ? " with local changes" : "");
    }

    SwitchConfig config() {
        return config;
    }

    private Path configFile() {
        return setting.directory().resolve(file(".yaml"));
    }

    private String file(String suffix) {
        return "headgate-" + attachment() + variant.suffix + suffix;
    }

    @Override
    List<String> commands() {
        return List.of(String.join(" ", command("<class path>")));
    }

    private List<String> command(String classPath) {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", setting.bothCores()));
        command.addAll(
                OwnJvm.command(
                        HEAP, classPath, HeadgateMain.class, List.of(configFile().toString())));
        return command;
    }

    @Override
    void start() throws BenchException {
        try {
            Files.writeString(configFile(), SwitchConfigs.toYaml(config));
        } catch (IOException failure) {
            throw new BenchException(
                    "cannot write " + configFile() + ": " + Reason.of(failure), failure);
        }
        start(
                command(System.getProperty("java.class.path")),
                Map.of(),
                file(".log"),
                HeadgateMain.READY,
                READY_SECONDS);
    }
}
