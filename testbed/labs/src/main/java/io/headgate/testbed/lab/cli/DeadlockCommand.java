package io.headgate.testbed.lab.cli;

import io.headgate.testbed.lab.DeadlockLab;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.deadlock.Remedy;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate lab deadlock}. */
@Command(
        name = "deadlock",
        description = {
            "Three switches in a ring, three flows of two hops, all clockwise: under pauses"
                    + " (priority flow control, IEEE 802.1Qbb PFC) the three buffers come to wait"
                    + " for one another, and nothing moves any more. Then a remedy is turned on, as"
                    + " headgate set does, and it moves again: Escape, or --with another.",
            "The start rule: the ring's links are held at 1 Mb/s while the senders, which begin"
                    + " together, fill their switches up to xoff (125 kB; xon is 10 kB); then all"
                    + " links get their rate. Before, the same flows run for 2 s with the remedy on"
                    + " (of watchdog and none: Escape), to warm up: what they do is not counted."
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
                    "What is turned on in the deadlock: escape; watchdog: PFC's, which drops; lb:"
                            + " Loop Breaker, which drops; dlb: Deadlock Breaker; or none.",
            defaultValue = "escape")
    private String with;

    @Option(
            names = "--stand",
            paramLabel = "SECONDS",
            description = "How long the ring is watched before that, 1 to 600.",
            defaultValue = "10")
    private int stand;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often, 1 to 99; every run is judged.",
            defaultValue = "1")
    private int runs;

    @Override
    public Integer call() {
        Remedy remedy = remedy();
        if (runs < 1 || runs > MOST_RUNS) {
            throw arguments.wrong("--runs " + runs + " cannot be: 1 to 99 are allowed");
        }
        if (stand < 1 || stand > MOST_SECONDS) {
            throw arguments.wrong("--stand " + stand + " cannot be: 1 to 600 are allowed");
        }
        LabOptions options = arguments.options(DeviceKind.AFPACKET, rate);
        return arguments.run(
                (records, progress) ->
                        new DeadlockLab(
                                options,
                                remedy,
                                stand,
                                runs,
                                records,
                                arguments.command(),
                                progress),
                List.of(
                        "Buffers with xoff and xon, and what flows got, over time: "
                                + options.reportDirectory().resolve("report.html"),
                        "Tokens in the capture, of Escape or of Loop Breaker and Deadlock Breaker:",
                        "  tshark -X lua_script:config/wireshark/headgate.lua -r "
                                + options.captureDirectory().resolve("capture-run-1-s1.pcapng")
                                + " -Y 'headgate_token || headgate_loop'"),
                pass(remedy));
    }

    private static String pass(Remedy remedy) {
        if (remedy.prevents()) {
            return remedy.passes();
        }
        String formed = "the three buffers stayed above xon within 10 s of the release, ";
        return formed
                + (remedy == Remedy.NONE ? "" : "until the remedy was turned on; then ")
                + remedy.passes();
    }

    private Remedy remedy() {
        Remedy known = Remedy.of(with);
        if (known == null) {
            throw arguments.wrong(
                    "--with '" + with + "' is not known: allowed are " + Remedy.words());
        }
        return known;
    }
}
