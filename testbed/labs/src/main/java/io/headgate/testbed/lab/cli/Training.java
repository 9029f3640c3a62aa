package io.headgate.testbed.lab.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.cli.Headgate;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The program that the launcher runs once per build, to put the classes that users need first into
 * an archive: a scenario and a lab in one process, each the smallest one with traffic, figures and
 * a page. If no lab can run, the switch of one runs by itself.
 */
public final class Training {
    private static final String LAB =
            """
            duration: 1s
            topology: {name: t, builder: {single-switch: {hosts: 2, link: {rate: 20Mbps}}}}
            traffic: [{from: h1, to: h2, protocol: PROTOCOL}]
            """;
    private static final String SWITCH =
            """
            name: t
            ports: [{name: p1, device: {memory: m}}, {name: p2, device: {memory: m}}]
            """;

    private Training() {}

    /**
     * Exits with the code of the scenario. A lab that fails is only reported: it does so where
     * other programs have the cores, and its classes have been used all the same.
     *
     * @param args an existing directory for results, and {@code lab} if this process is in network
     *     and mount namespaces of its own
     */
    public static void main(String[] args) throws IOException {
        Path results = Path.of(args[0]);
        int code =
                Headgate.run(
                        "reproduce", "incast", "--out", results.resolve("scenario").toString());
        if (args.length > 1
                && Stream.of(Tool.IP, Tool.PING, Tool.SETPRIV).allMatch(Training::has)) {
            // No program is installed for this: without iperf3 it is our own traffic.
            String lab = LAB.replace("PROTOCOL", has(Tool.IPERF3) ? "tcp" : "probe");
            Path file = Files.writeString(results.resolve("lab.yaml"), lab);
            int ended =
                    Headgate.run(
                            "lab", file.toString(), "--report", results.resolve("lab").toString());
            if (ended != 0) {
                System.err.printf(
                        "headgate: the lab of the training ended with exit code %d: classes that it"
                                + " did not load are missing in the archive%n",
                        ended);
            }
        } else {
            runSwitch();
        }
        System.exit(code);
    }

    private static boolean has(Tool tool) {
        return Tools.find(tool).isPresent();
    }

    private static void runSwitch() {
        try {
            RunningSwitch.start(SwitchConfigReader.read(SWITCH, "training"), SwitchOptions.DEFAULT)
                    .close();
        } catch (ConfigException | DeviceException e) {
            System.err.println("headgate: " + e.getMessage());
        }
    }
}
