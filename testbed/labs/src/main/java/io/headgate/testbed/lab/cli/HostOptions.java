package io.headgate.testbed.lab.cli;

import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import java.util.Arrays;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for a lab that is a file: how its hosts are connected, and who uses them. */
final class HostOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--device",
            paramLabel = "KIND",
            description =
                    "Devices of the ports: afpacket, afxdp (root only), or tap towards hosts; not"
                            + " with flow control or RoCEv2.",
            defaultValue = "afpacket")
    private String device = DeviceKind.AFPACKET.word();

    @Option(names = "--ipv6", description = "Also gives the hosts IPv6 addresses, and pings them.")
    private boolean ipv6;

    @Option(
            names = "--gso",
            description =
                    "Hosts' offloads stay on: their TCP segments pass the switch whole, up to 64 KB"
                            + " per frame; not with --device afxdp, flow control or RoCEv2.")
    private boolean gso;

    @Option(
            names = "--shell",
            description =
                    "Opens a shell instead of the file's flows and commands; the lab ends with the"
                            + " shell.")
    private boolean shell;

    /** The kind of device, in the words of the command line. */
    DeviceKind device() {
        DeviceKind kind =
                Arrays.stream(DeviceKind.values())
                        .filter(one -> one.word().equals(device))
                        .findFirst()
                        .orElseThrow(() ->
                                wrong(
                                        "--device '"
                                                + device
                                                + "' is not known: afpacket, afxdp or tap is"
                                                + " allowed"));
        if (gso && kind == DeviceKind.AFXDP) {
            throw wrong(
                    "--gso does not work with --device afxdp, which has only single frames:"
                            + " afpacket or tap is allowed");
        }
        return kind;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence + ".");
    }

    /** These options in addition to others. */
    LabOptions in(LabOptions options) {
        return options.withIpv6(ipv6).withShell(shell).withGso(gso);
    }
}
