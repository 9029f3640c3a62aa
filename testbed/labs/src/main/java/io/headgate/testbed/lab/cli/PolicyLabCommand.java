package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab policy}. */
@Command(
        name = "policy",
        description = {
            "Three hosts send to one, more than its link carries, with three priorities: under tail"
                    + " drop, longest queue drop, and push-out by priority, each an OpenQueue"
                    + " policy that is loaded into the running switch.",
            "Then they send less, and ten times a second another policy is loaded: nothing may be"
                    + " lost by that, or come out of order.",
            "With --weighted, two of them send valuable datagrams in bursts and one cheap ones:"
                    + " what arrives is worth least under algorithm A of the OpenQueue chapter,"
                    + " more under B, and most under C.",
            "Both are files: --print shows them, and 'headgate lab FILE' runs what you made of one."
        })
final class PolicyLabCommand extends ReadyLabCommand {
    @Mixin private ReadyLab ready;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = {
                "Line rate of every link, e.g. 50Mbps. A policy's buffer (100 kB) holds 40 ms of"
                        + " traffic at 20 Mb/s; if the machine holds the switch up for longer, frames"
                        + " are lost at random.",
            },
            defaultValue = "20Mbps")
    private String rate;

    @Option(
            names = "--weighted",
            description =
                    "Compare the value of what arrives under the chapter's algorithms A, B and C;"
                            + " A and C also with 2, 4 and 8 queues.")
    private boolean isWeighted;

    @Override
    public Integer call() {
        return ready.run(
                isWeighted ? "policy-weighted" : "policy",
                arguments.settings(rate, Map.of()),
                arguments);
    }
}
