package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab deadlock}. */
@Command(
        name = "deadlock",
        description = {
            "Three switches in a ring, three flows of two hops, all clockwise: under pauses"
                    + " (priority flow control, IEEE 802.1Qbb PFC) the three buffers wait for one"
                    + " another, and no frame moves any more. Then a remedy is turned on, as with"
                    + " headgate set, and frames move again: Escape, or another one with --with.",
            "The start rule: the ring's links are limited to 1 Mb/s while the senders, which begin"
                    + " together, fill their switches up to xoff (125 kB; xon is 10 kB); then all"
                    + " links get their rate. Before, the same flows run for 2 s with the remedy on"
                    + " (for watchdog and none: Escape) as a warm-up that is not counted.",
            "This lab is a file: --print shows it, and 'headgate lab FILE' runs your own version."
        })
final class DeadlockCommand extends ReadyLabCommand {
    private static final int MOST_RUNS = 99;
    private static final int MOST_SECONDS = 600;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every link, e.g. 200Mbps.",
            defaultValue = "100Mbps")
    private String rate;

    @Option(
            names = "--with",
            paramLabel = "WHAT",
            description =
                    "The remedy to turn on in the deadlock: escape; watchdog: PFC's, which drops;"
                            + " lb: Loop Breaker, which drops; dlb: Deadlock Breaker; gfc: gentle"
                            + " flow control, on from the start; or none.",
            defaultValue = "escape")
    private String with;

    @Option(
            names = "--stand",
            paramLabel = "SECONDS",
            description = "Time for which the ring is watched before that, 1 to 600.",
            defaultValue = "10")
    private int stand;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Number of runs, 1 to 99; every run is judged.",
            defaultValue = "1")
    private int runs;

    @Mixin private ReadyLab ready;

    @Override
    public Integer call() {
        arguments.require("--runs", runs, MOST_RUNS);
        arguments.require("--stand", stand, MOST_SECONDS);
        return ready.run(
                "deadlock",
                arguments.settings(
                        rate,
                        Map.of(
                                "with",
                                arguments.single("--with", with),
                                "stand",
                                stand + "s",
                                "run",
                                runs == 1 ? "1" : "1.." + runs)),
                arguments);
    }
}
