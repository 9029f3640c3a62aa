package io.headgate.testbed.lab.cli;

import io.headgate.config.key.Quantity;
import io.headgate.testbed.lab.FourPortLab;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab four-port}. */
@Command(
        name = "four-port",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Runs a four-port switch between network namespaces h1 to h4, with real traffic.",
            "Pings all pairs, runs iperf3 (TCP, UDP, an incast), captures, checks that every frame"
                    + " is accounted for, and removes everything again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
final class FourPortCommand implements Callable<Integer> {
    @Mixin private LabArguments arguments;

    @Option(
            names = "--device",
            paramLabel = "KIND",
            description = "What the ports stand on: afpacket, afxdp (root only) or tap.",
            defaultValue = "afpacket")
    private String device;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every port, e.g. 200Mbps.",
            defaultValue = "1Gbps")
    private String rate;

    @Option(
            names = "--udp-rate",
            paramLabel = "RATE",
            description =
                    "Rate of each UDP flow between pairs; a tenth of the line rate if not given.")
    private @Nullable String udpRate;

    @Option(names = "--ipv6", description = "Also give the hosts IPv6 addresses and ping those.")
    private boolean ipv6;

    @Option(
            names = "--gso",
            description =
                    "Hosts' offloads stay on: their TCP segments pass the switch whole, up to 64 KB"
                            + " a frame; not with --device afxdp.")
    private boolean gso;

    @Option(
            names = "--shell",
            description = "Instead of running iperf3, open a shell; the lab ends when it does.")
    private boolean shell;

    @Override
    public Integer call() {
        DeviceKind kind = arguments.kind(device);
        if (gso && kind == DeviceKind.AFXDP) {
            throw arguments.wrong(
                    "--gso is not for --device afxdp, which has single frames only: afpacket or tap"
                            + " is allowed");
        }
        LabOptions given = arguments.options(kind, rate, udpBps(), ipv6, shell);
        LabOptions options = gso ? given.withGso() : given;
        Path capture = options.captureDirectory().resolve("capture.pcapng");
        return arguments.run(
                (records, progress) ->
                        new FourPortLab(options, records, arguments.command(), progress),
                List.of(
                        "Look at the capture, or at what was dropped and why:",
                        "  wireshark " + capture,
                        LabArguments.drops(capture),
                        "Work in the hosts yourself: headgate lab four-port --shell"),
                options.shell()
                        ? "all pairs reachable, every frame accounted for"
                        : "all pairs reachable, all flows ran, every frame accounted for, every"
                                + " drop explained");
    }

    private long udpBps() {
        if (udpRate == null) {
            return 0;
        }
        Long bps = Quantity.RATE.parse(udpRate);
        if (bps == null || bps == 0) {
            throw arguments.wrong("--udp-rate '" + udpRate + "' is not a rate, such as 100Mbps");
        }
        return bps;
    }
}
