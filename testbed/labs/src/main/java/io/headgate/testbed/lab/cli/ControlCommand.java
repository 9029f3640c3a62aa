package io.headgate.testbed.lab.cli;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.hostagent.rate.RateControlMechanism;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab control}; its old name is {@code headgate lab rocc}. */
@Command(
        name = "control",
        aliases = "rocc",
        description = {
            "Three hosts send to one over a lossless switch, first held back by pauses (priority"
                    + " flow control, IEEE 802.1Qbb PFC; with ib-cc by credits) alone, then also by"
                    + " a rate control.",
            "With rocc the switch sends each flow its fair rate, hosts' agents follow it, and"
                    + " applications are unmodified iperf3. With any other control, including"
                    + " controls of jars, hosts speak RoCEv2 like headgate rdma, and the third"
                    + " sender stops before the others.",
            "The report has throughput, queue, pauses and losses of both; with any control other"
                    + " than rocc, also those of the same network in virtual time. For rocc, use"
                    + " 'headgate twin'.",
            "Both are files: --print shows the one of --with, and 'headgate lab FILE' runs your own"
                    + " version."
        })
final class ControlCommand extends ReadyLabCommand {
    private static final int MOST_RUNS = 99;

    private static final String ROCC = "rocc";
    private static final String CONTROL = "control";
    private static final String NONE = "none";

    @Mixin private ReadyLab ready;

    @Option(
            names = "--with",
            paramLabel = "CONTROL",
            description =
                    "The rate control: rocc, dcqcn, dcqcn-pi, pcn, hpcc, icc, timely, timely-patched,"
                            + " swift, dctcp, lipd, ib-cc, or one of a jar.",
            defaultValue = ROCC)
    private String with;

    @Option(
            names = "--keys",
            paramLabel = "YAML",
            description =
                    "Its configuration, for links of 40 Gb/s, such as '{formulas: printed}'; it is"
                            + " slowed down to the lab's rate. Not with rocc.",
            defaultValue = "")
    private String keys;

    @Option(
            names = "--ports",
            paramLabel = "YAML",
            description =
                    "The 'congestion' key of the ports, for links of 40 Gb/s, instead of the one"
                            + " that the control needs. Not with rocc.",
            defaultValue = "")
    private String ports;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every link, e.g. 200Mbps.",
            defaultValue = "100Mbps")
    private String rate;

    @Option(
            names = "--demand",
            paramLabel = "KIND",
            description =
                    "uniform: each sender offers the line rate; mixed: one offers it, the others 30"
                            + " and 10 percent of it; or both, one after the other; one-host: three"
                            + " flows of one host, and one flow of each of two others.",
            defaultValue = "both")
    private String demand;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Number of runs of each, 1 to 99; medians are judged.",
            defaultValue = "1")
    private int runs;

    @Option(names = "--tcp", description = "TCP instead of UDP.")
    private boolean tcp;

    @Override
    public Integer call() {
        arguments.require("--runs", runs, MOST_RUNS);
        return with.equals(ROCC) ? rocc() : control();
    }

    private Integer control() {
        refuse("--demand", "--tcp");
        arguments.require(
                !with.equals(NONE),
                "--with 'none' cannot be: each control is compared with a run without one");
        boolean overCredits =
                MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, with)
                                instanceof RateControlMechanism<?> control
                        && control.needsCredits();
        return ready.run(
                CONTROL,
                arguments.settings(
                        rate,
                        Map.of(
                                "with",
                                NONE + "," + arguments.single("--with", with),
                                "keys",
                                keys,
                                "ports",
                                ports,
                                "flow-control",
                                overCredits ? "credits" : "pfc")),
                new HostOptions(),
                runs,
                arguments);
    }

    private void refuse(String... options) {
        for (String option : options) {
            arguments.refuse(option, "with " + with + " this option does not exist");
        }
    }

    private Integer rocc() {
        refuse("--keys", "--ports");
        String all = tcp ? "uniform" : "uniform,mixed";
        String demands = demand.equals("both") ? all : arguments.single("--demand", demand);
        return ready.run(
                ROCC,
                arguments.settings(
                        rate, Map.of("demand", demands, "protocol", tcp ? "tcp" : "udp")),
                new HostOptions(),
                runs,
                arguments);
    }
}
