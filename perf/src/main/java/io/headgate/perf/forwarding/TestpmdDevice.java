package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * DPDK's testpmd forwarding from port to port without looking at frames ({@code io}), on the
 * af_packet or af_xdp driver, with one forwarding core.
 */
final class TestpmdDevice extends DeviceUnderTest {
    static final String PROGRAM = "dpdk-testpmd";
    private static final long READY_SECONDS = 30;

    TestpmdDevice(Setting setting, String attachment) {
        super(setting, "DPDK testpmd", attachment);
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
    String version() {
        return Commands.packageVersion("dpdk-dev");
    }

    @Override
    List<String> commands() {
        return List.of(String.join(" ", command()));
    }

    private List<String> command() {
        // Without stdbuf its output would come when it ends.
        return Commands.inside(
                setting.netns(),
                setting.bothCores(),
                Commands.words(
                        ("stdbuf -oL %s --no-huge -m 512 --no-shconf --no-telemetry --no-pci"
                                        + " --lcores=0@%d,1@%d --vdev=%s --vdev=%s"
                                        + " -- --forward-mode=io --auto-start --nb-cores=1 --burst=64"
                                        + " --rxd=1024 --txd=1024 --total-num-mbufs=16384")
                                .formatted(
                                        PROGRAM,
                                        setting.generatorCore(),
                                        setting.deviceCore(),
                                        driver(0, BenchNetwork.LEFT),
                                        driver(1, BenchNetwork.RIGHT))));
    }

    private String driver(int number, String interfaceName) {
        return attachment().equals("afxdp")
                ? "net_af_xdp" + number + ",iface=" + interfaceName + ",start_queue=0,queue_count=1"
                : "net_af_packet%s,iface=%s,qpairs=1,framesz=2048,blocksz=65536,framecnt=2048,qdisc_bypass=1"
                        .formatted(number, interfaceName);
    }

    @Override
    void start() throws BenchException {
        start(
                command(),
                Map.of(),
                "testpmd-" + attachment() + ".log",
                "Press enter to exit",
                READY_SECONDS);
    }
}
