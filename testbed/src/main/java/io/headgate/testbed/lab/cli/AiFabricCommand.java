package io.headgate.testbed.lab.cli;

import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.own.OwnLabReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab ai-fabric}: a ready lab that is a file. */
@Command(
        name = "ai-fabric",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Eight hosts that speak RoCEv2 over four leaves and two spines: lossless by PFC, marked"
                    + " by RED, slowed down by DCQCN. They send round a ring, three send to one, and"
                    + " a link fails and comes back.",
            "It is a file: --print shows it, and 'headgate lab FILE' runs what you made of it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
final class AiFabricCommand implements Callable<Integer> {
    @Mixin private LabArguments arguments;

    @Option(
            names = "--print",
            description = "Print the lab's file, to copy and change; run nothing.")
    private boolean printing;

    @Override
    public Integer call() {
        if (printing) {
            System.out.print(text());
            return 0;
        }
        return arguments.run(
                OwnLabReader.read(text(), "ai-fabric.yaml"), DeviceKind.AFPACKET, false);
    }

    /** The lab's file. */
    static String text() {
        try (InputStream in = AiFabricCommand.class.getResourceAsStream("ready/ai-fabric.yaml")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
