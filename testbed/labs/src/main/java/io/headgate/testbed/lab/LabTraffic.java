package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.NetnsNetwork;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What the hosts of a lossless lab send, phase by phase. */
final class LabTraffic {
    private static final double NS_PER_S = 1e9;

    private final LabOptions options;
    private final LabFiles files;
    private final NetnsNetwork network;
    private final HostCounters hostCounters;
    private final LabCapture capture;
    private final RunReport report;

    LabTraffic(LabOptions options, NetnsNetwork network, LabCapture capture, RunReport report) {
        this.options = options;
        this.files = new LabFiles(options.reportDirectory(), report);
        this.network = network;
        this.hostCounters = new HostCounters(network);
        this.capture = capture;
        this.report = report;
    }

    /**
     * One phase.
     *
     * @param controlled as {@link LabCapture#openAfter} takes it
     * @param windowAt the part of the phase's time after which the capture is open for its moment
     */
    Phase.Outcome run(LabSwitches switches, Phase phase, boolean controlled, double windowAt)
            throws BedException {
        LabCounters before = LabCounters.of(switches);
        long socketBefore = hostCounters.socketDrops();
        long afterNs = (long) (windowAt * options.seconds() * NS_PER_S);
        List<Iperf3.Outcome> flows =
                Iperf3.run(
                        network,
                        phase.protocol(),
                        phase.flows(),
                        options.seconds(),
                        phase.udpBps(),
                        () -> capture.openAfter(afterNs, switches, controlled));
        capture.awaitMoment();
        for (int i = 0; i < flows.size(); i++) {
            keepResult(phase, i, flows.get(i));
        }
        // Switch and agents ask their kernels for drops only now and then.
        LockSupport.parkNanos(RealTimeEngine.KERNEL_DROPS_KNOWN_NS);
        LabCounters during = LabCounters.of(switches).since(before);
        return new Phase.Outcome(
                phase,
                flows,
                during.drops(),
                hostCounters.socketDrops() - socketBefore,
                during.loads(options.seconds(), List.of()));
    }

    private void keepResult(Phase phase, int number, Iperf3.Outcome flow) throws BedException {
        String name =
                LabFiles.word(phase.name())
                        + "-h"
                        + flow.flow().from()
                        + "-h"
                        + flow.flow().to()
                        + (phase.flows().indexOf(flow.flow()) == number ? "" : "-" + (number + 1));
        files.put("iperf3-" + name + ".json", flow.json());
        String problem = flow.problem();
        if (problem != null) {
            report.problem("iperf3 " + name + " (flow " + (number + 1) + ") failed: " + problem);
        } else if (flow.receivedBps() <= 0) {
            report.problem("iperf3 " + name + " received nothing");
        }
    }
}
