package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headgate lab ai-fabric}: runs a ready lab that is a file. */
@Command(
        name = "ai-fabric",
        description = {
            "Eight hosts that speak RoCEv2 over four leaves and two spines: lossless by PFC, marked"
                    + " by RED, slowed down by DCQCN. They send round a ring, three send to one, and"
                    + " a link fails and comes back.",
            "This lab is a file: --print shows it, and 'headgate lab FILE' runs your own version."
        })
final class AiFabricCommand extends ReadyLabCommand {
    @Mixin private ReadyLab ready;

    @Override
    public Integer call() {
        arguments.refuseWhatFilesSay();
        return ready.run("ai-fabric", Map.of(), arguments);
    }
}
