package io.headgate.testbed.lab.cli;

import io.headgate.config.key.Quantity;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab four-port}. */
@Command(
        name = "four-port",
        description = {
            "Runs a four-port switch between network namespaces h1 to h4, with real traffic.",
            "Pings all pairs, runs iperf3 (TCP, UDP, an incast), captures, checks that every frame"
                    + " is accounted for, and removes everything again.",
            "This lab is a file: --print shows it, and 'headgate lab FILE' runs your own version."
        })
final class FourPortCommand extends ReadyLabCommand {
    private static final long TENTH = 10;

    @Mixin private ReadyLab ready;

    @Mixin private HostOptions hosts;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every port, e.g. 200Mbps.",
            defaultValue = "1Gbps")
    private String rate;

    @Option(
            names = "--udp-rate",
            paramLabel = "RATE",
            description = "Rate of each UDP flow between pairs; default: a tenth of the line rate.")
    private @Nullable String udpRate;

    @Override
    public Integer call() {
        Map<String, String> settings = arguments.settings(rate, Map.of());
        String udp = udpRate;
        settings.put("udp-rate", udp == null ? tenth() : arguments.single("--udp-rate", udp));
        return ready.run("four-port", settings, hosts, 1, arguments);
    }

    private String tenth() {
        return Objects.requireNonNull(Quantity.RATE.parse(rate)) / TENTH + "bps";
    }
}
