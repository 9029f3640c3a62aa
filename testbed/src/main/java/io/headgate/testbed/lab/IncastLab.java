package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.lab.capture.ControlFrames;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Series;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Three hosts send to one, each as much as the receiver's link carries: with flow control nothing
 * is lost anywhere, and the senders' sockets wait; without, the switch drops, and says where.
 */
public final class IncastLab extends Lab {
    private static final String BOTTLENECK = "p4";
    private static final double FULL_SHARE = 0.97;
    private static final double BEGUN_SHARE = 0.1;
    private static final double US_PER_SECOND = 1e6;

    private final FlowControlConfig.Mode mode;

    /**
     * @param mode of flow control: {@code PFC}, {@code CREDITS} or {@code NONE}
     */
    public IncastLab(
            LabOptions options,
            FlowControlConfig.Mode mode,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.mode = mode;
    }

    @Override
    public RunReport run() throws BedException {
        Path capture = options.captureDirectory().resolve("capture.pcapng");
        LosslessRun run =
                new LosslessRun(this, open(), mode, 1, LosslessRun.Beside.NOTHING, report, capture);
        plots(() -> run.charts("", ""));
        run.pingAll();
        long rateBps = run.running().config().ports().getFirst().rateBps();
        List<Flow> flows =
                List.of(
                        LosslessRun.flow(1, 4, rateBps),
                        LosslessRun.flow(2, 4, rateBps),
                        LosslessRun.flow(3, 4, rateBps));
        LosslessRun.Result result =
                run.run(new Phase("UDP incast", Protocol.UDP, flows, rateBps, true));
        report.add(LabSections.udp(List.of(result.outcome())));
        report.add(order(result.outcome()));
        report.add(bottleneck(result, run.sentBy(BOTTLENECK), rateBps, options.seconds()));
        report.add(Losses.section("Losses", result.losses()));
        report.add(LabSections.flowControl(result.flow()));
        headline(result, rateBps);
        judge(result, run.describeMargins("Lossless margin"));
        run.describe(result);
        ControlFrames control = new ControlFrames(run.running(), mode, LosslessRun.PRIORITY);
        run.finish();
        if (mode != FlowControlConfig.Mode.NONE) {
            control.check(run.network().programs(), capture, report);
        }
        files.write("switch.yaml", run.switchYaml());
        files.draw(result.used("The network", run.network().plan()));
        return finish();
    }

    private void headline(LosslessRun.Result result, long rateBps) {
        double bps = result.outcome().receivedBps();
        report.headline("received by h4, in all (UDP payload)", Numbers.rate(bps));
        report.headline("its link", Numbers.rate((double) rateBps));
        long lost = Losses.frames(result.losses());
        report.headline("lost anywhere", lost + " frames");
    }

    private static Section order(Phase.Outcome outcome) {
        long behind = outcome.reorderedDatagrams();
        return new Section(
                "Order", behind, behind + " datagrams came behind later ones of their flow");
    }

    /** How busy it was in the traffic's own seconds: not while iperf3 talks before and after. */
    private static Section bottleneck(
            LosslessRun.Result result, Series sent, long rateBps, int seconds) {
        // Looks at which traffic had begun already, and had not ended.
        double beginUs = sent.firstAtLeastUs(BEGUN_SHARE * rateBps);
        double endUs = beginUs + seconds * US_PER_SECOND - TimeSeries.INTERVAL_NS / 1e3;
        double meanBps = sent.mean(Math.nextUp(beginUs), endUs);
        double bytes = result.sentBytes(BOTTLENECK);
        int overheadBytes = WireFormat.ETHERNET.overheadBytes();
        double wireBytes = bytes + overheadBytes * result.sentFrames(BOTTLENECK);
        double share = Double.isNaN(meanBps) ? 0 : meanBps * wireBytes / bytes / rateBps;
        String text =
                String.format(
                        Locale.ROOT,
                        "%s was in use for %.1f %% of the time, with preambles, FCS and gaps",
                        BOTTLENECK,
                        100 * share);
        if (share < FULL_SHARE) {
            text +=
                    "; the rest is time for which the switch's worker or the hosts were given no"
                            + " core: of each such time a port makes up for 1 ms, no more";
        }
        return new Section("Bottleneck", share, text);
    }

    private void judge(LosslessRun.Result result, String margin) {
        long behind = result.outcome().reorderedDatagrams();
        if (behind > 0) {
            report.problem(behind + " datagrams came out of order");
        }
        if (mode != FlowControlConfig.Mode.NONE) {
            Losses.judge(result.losses(), result.outcome().missedDatagrams(), margin, report);
            if (result.stoppedNs() == 0
                    && !result.holds().doubtSenders(result.outcome().flows(), 0, report)) {
                report.doubt(Doubt.ofControl("no host was ever stopped, so nothing was at risk"));
            }
        } else if (result.losses().isEmpty()
                && !result.holds().doubtSenders(result.outcome().flows(), 0, report)) {
            report.problem("nothing was lost, though more was offered than can be carried");
        }
    }
}
