package io.headgate.testbed.lab.cli;

import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.RoccLab;
import io.headgate.testbed.lab.rocc.Demand;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab rocc}. */
@Command(
        name = "rocc",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Three hosts send to one over a lossless switch, first held back by pauses (priority"
                    + " flow control, IEEE 802.1Qbb PFC) alone, then also by RoCC: the switch"
                    + " tells each flow the rate that is fair, and the hosts' agents follow it.",
            "Applications are unmodified iperf3. The report has throughput, fair rate, queue,"
                    + " pauses and losses of both, and the same network in virtual time beside"
                    + " them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
final class RoccCommand implements Callable<Integer> {
    private static final int MOST_RUNS = 99;

    @Mixin private LabArguments arguments;

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
                    "uniform: each asks for the line rate; mixed: one for that, the others for 30"
                            + " and 10 percent of it; or both, one after the other; one-host:"
                            + " three flows of one host beside one of each of two others.",
            defaultValue = "both")
    private String demand;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often each is run, 1 to 99; medians are judged.",
            defaultValue = "1")
    private int runs;

    @Option(names = "--tcp", description = "TCP instead of UDP.")
    private boolean tcp;

    @Override
    public Integer call() {
        List<Demand> demands = demands();
        Protocol protocol = tcp ? Protocol.TCP : Protocol.UDP;
        if (tcp && demands.contains(Demand.MIXED)) {
            throw arguments.wrong(
                    "--tcp asks for all that there is: with it, --demand uniform and one-host"
                            + " are allowed");
        }
        if (runs < 1 || runs > MOST_RUNS) {
            throw arguments.wrong("--runs " + runs + " cannot be: 1 to 99 are allowed");
        }
        LabOptions options = arguments.options(DeviceKind.AFPACKET, rate);
        return arguments.run(
                (records, progress) ->
                        new RoccLab(
                                options,
                                demands,
                                protocol,
                                runs,
                                records,
                                arguments.command(),
                                progress),
                List.of(
                        "Throughput, fair rate and queue over time: "
                                + options.reportDirectory().resolve("report.html"),
                        "What a switch or a host knows while such a lab runs:",
                        "  headgate show congestion",
                        "  headgate show rates --host h1"),
                "with RoCC the senders had their max-min shares, the queue was near its reference,"
                        + " pauses were at most a tenth of those without, and nothing was lost");
    }

    private List<Demand> demands() {
        if (demand.equals("both")) {
            return tcp ? List.of(Demand.UNIFORM) : List.of(Demand.UNIFORM, Demand.MIXED);
        }
        for (Demand each : Demand.values()) {
            if (each.word().equals(demand)) {
                return List.of(each);
            }
        }
        throw arguments.wrong(
                "--demand '"
                        + demand
                        + "' is not known: uniform, mixed, both or one-host is"
                        + " allowed");
    }
}
