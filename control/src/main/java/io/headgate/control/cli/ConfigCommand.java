package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.report.Json;
import io.headgate.control.sonic.SonicImport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate config}: imports configuration files of other switches. */
@Command(
        name = "config",
        description = "Makes a switch's configuration from that of another system.")
public final class ConfigCommand extends HeadgateCommand {
    private static final long MAX_BYTES = 64L << 20;

    /** Options that choose the imported part of the file, and the machine that it is for. */
    static final class Taken {
        private static final List<String> DEVICES = List.of("afpacket", "afxdp", "tap", "pcap");

        @Option(
                names = "--ports",
                paramLabel = "NAME",
                split = ",",
                description = "Only these ports, in this order.")
        private @Nullable List<String> ports;

        @Option(
                names = "--interfaces",
                paramLabel = "NAME",
                split = ",",
                description =
                        "The interfaces of the ports here, one per port; by default, interfaces"
                                + " with the ports' names.")
        private @Nullable List<String> interfaces;

        @Option(
                names = "--device",
                paramLabel = "KIND",
                defaultValue = "afpacket",
                description = "afpacket, afxdp, tap or pcap (default: afpacket).")
        private String device = "";

        @Option(
                names = "--rate",
                paramLabel = "RATE",
                defaultValue = "",
                description =
                        "Rate of each port instead of its speed in the file, such as 1Gbps;"
                                + " headroom is computed for this rate.")
        private String rate = "";

        private SonicImport.Wanted wanted() {
            return new SonicImport.Wanted(
                    ports == null ? List.of() : ports,
                    interfaces == null ? List.of() : interfaces,
                    device,
                    rate);
        }
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a configuration from the config_db.json of a switch that runs SONiC: ports,"
                        + " traffic classes, PFC, buffers, schedulers, ECN, the PFC watchdog and"
                        + " VLANs. Settings that cannot be converted are listed, with the reason."
            })
    int importSonic(
            @Parameters(paramLabel = "FILE", description = "The switch's config_db.json.")
                    Path file,
            @Mixin Taken taken,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FILE",
                            description =
                                    "File to write the configuration to; by default it is printed.")
                    @Nullable Path output,
            @Mixin JsonOption json)
            throws CommandFailure {
        if (!Taken.DEVICES.contains(taken.device)) {
            throw wrong(
                    "--device '"
                            + taken.device
                            + "' is not known; allowed: afpacket, afxdp, tap or pcap.");
        }
        SonicImport.Made made = SonicImport.make(read(file), file.toString(), taken.wanted());
        if (json.isGiven()) {
            print(Json.COMPACT.writeValueAsString(made) + "\n");
            return 0;
        }
        String comment = made.comment(file.getFileName());
        if (output == null) {
            print(comment + made.yaml());
            return 0;
        }
        try {
            Files.writeString(output, comment + made.yaml());
        } catch (IOException e) {
            throw CommandFailure.badInput("cannot write " + output + ": " + Reason.of(e) + ".");
        }
        err().print(comment);
        err().flush();
        return 0;
    }

    private static String read(Path file) throws CommandFailure {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw CommandFailure.badInput(
                        file + " has more than 64 MiB, the largest size that is read.");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw CommandFailure.badInput("cannot read " + file + ": " + Reason.of(e) + ".");
        }
    }
}
