package io.headgate.perf.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * DPDK's testpmd forwarding from port to port without looking at frames ({@code io}), on the
 * af_packet or af_xdp driver, with one forwarding core.
 */
final class TestpmdDevice implements DeviceUnderTest {
    static final String PROGRAM = "dpdk-testpmd";
    private static final long READY_SECONDS = 30;

    private final Setting setting;
    private final String attachment;
    private @Nullable ChildProcess process;

    TestpmdDevice(Setting setting, String attachment) {
        this.setting = setting;
        this.attachment = attachment;
    }

    /** Why it cannot be measured here, if it cannot. */
    static Optional<String> whyNot() {
        return Commands.find(PROGRAM).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "DPDK testpmd is not installed (Debian: apt-get install dpdk-dev"
                                + " librte-net-af-packet23 librte-net-af-xdp23)");
    }

    @Override
    public String name() {
        return "DPDK testpmd";
    }

    @Override
    public String attachment() {
        return attachment;
    }

    @Override
    public String version() {
        return Commands.packageVersion("dpdk-dev");
    }

    @Override
    public List<String> commands() {
        return List.of(String.join(" ", command()));
    }

    private List<String> command() {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                // Or its output would come when it ends.
                                "stdbuf",
                                "-oL",
                                PROGRAM,
                                "--no-huge",
                                "-m",
                                "512",
                                "--no-shconf",
                                "--no-telemetry",
                                "--no-pci",
                                "--lcores=0@"
                                        + setting.generatorCore()
                                        + ",1@"
                                        + setting.deviceCore()));
        command.add("--vdev=" + driver(0, BenchNetwork.LEFT));
        command.add("--vdev=" + driver(1, BenchNetwork.RIGHT));
        command.addAll(
                List.of(
                        "--",
                        "--forward-mode=io",
                        "--auto-start",
                        "--nb-cores=1",
                        "--burst=64",
                        "--rxd=1024",
                        "--txd=1024",
                        "--total-num-mbufs=16384"));
        return Commands.inside(setting.netns(), setting.bothCores(), command);
    }

    private String driver(int number, String interfaceName) {
        return attachment.equals("afxdp")
                ? "net_af_xdp" + number + ",iface=" + interfaceName + ",start_queue=0,queue_count=1"
                : "net_af_packet"
                        + number
                        + ",iface="
                        + interfaceName
                        + ",qpairs=1,framesz=2048,blocksz=65536,framecnt=2048,qdisc_bypass=1";
    }

    @Override
    public void start() throws BenchException {
        ChildProcess started =
                new ChildProcess(
                        name() + " (" + attachment + ")",
                        command(),
                        Map.of(),
                        setting.directory().resolve("testpmd-" + attachment + ".log"));
        process = started;
        started.await("Press enter to exit", READY_SECONDS);
    }

    @Override
    public void run(boolean running) throws BenchException {
        if (process != null) {
            process.run(running);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
