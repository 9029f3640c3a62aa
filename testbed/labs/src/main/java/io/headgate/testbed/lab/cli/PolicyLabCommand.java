package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab policy}. */
@Command(
        name = "policy",
        description = {
            "Three hosts send to one, together faster than its link, with three priorities: under"
                    + " tail drop, longest queue drop, and push-out by priority, each an OpenQueue"
                    + " policy that is loaded into the running switch.",
            "Then they send less, and ten times per second another policy is loaded: no frame may"
                    + " be lost or reordered by that.",
            "With --weighted, two of them send valuable datagrams in bursts and one sends cheap"
                    + " ones: the value of the arriving datagrams is smallest under algorithm A of"
                    + " the OpenQueue chapter, larger under B, and largest under C.",
            "Both are files: --print shows them, and 'headgate lab FILE' runs your own version of"
                    + " one."
        })
final class PolicyLabCommand extends ReadyLabCommand {
    @Mixin private ReadyLab ready;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = {
                "Line rate of every link, e.g. 50Mbps. A policy's buffer (100 kB) holds 40 ms of"
                        + " traffic at 20 Mb/s; if the machine delays the switch for longer, random"
                        + " frames are lost.",
            },
            defaultValue = "20Mbps")
    private String rate;

    @Option(
            names = "--weighted",
            description =
                    "Compares the value of the arriving datagrams under the chapter's algorithms A,"
                            + " B and C; A and C also with 2, 4 and 8 queues.")
    private boolean isWeighted;

    @Override
    public Integer call() {
        return ready.run(
                isWeighted ? "policy-weighted" : "policy",
                arguments.settings(rate, Map.of()),
                arguments);
    }
}
