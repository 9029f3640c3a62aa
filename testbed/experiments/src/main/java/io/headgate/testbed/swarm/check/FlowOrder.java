package io.headgate.testbed.swarm.check;

import io.headgate.config.RoutedConfig.Paths.Unit;
import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.swarm.draw.Stream;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowStatistics;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that frames of a flow arrive in the order in which they were sent, and none twice, unless
 * a drawn fault or setting reorders, repeats, changes or reroutes them. If only lost frames are
 * sent again, or switches do not keep flows on one path, frames may arrive after later ones, but
 * only once.
 */
public record FlowOrder(CaseNetwork built) {
    public void check() {
        if (built.what().faults().stream().anyMatch(FlowOrder::mayReorder)) {
            return;
        }
        Set<String> selective =
                built.what().streams().stream()
                        .filter(stream -> stream.shape().messages().reordering() > 0)
                        .map(Stream::name)
                        .collect(Collectors.toSet());
        for (Flow flow : built.traffic().flows()) {
            FlowStatistics seen = flow.statistics();
            requireOnce(flow, seen);
            if (!selective.contains(seen.group()) && isOnOnePath() && seen.framesReordered() != 0) {
                throw new BrokenException(
                        "%s: %d of %d frames arrived after a later one"
                                .formatted(
                                        seen.group(),
                                        seen.framesReordered(),
                                        seen.framesReceived()));
            }
        }
        built.traffic()
                .devices()
                .forEach(device -> {
                    if (device.framesForeign() + device.framesUnsound() != 0) {
                        throw new BrokenException(
                                "%s received %d frames for other hosts and %d damaged frames"
                                        .formatted(
                                                device.address().name(),
                                                device.framesForeign(),
                                                device.framesUnsound()));
                    }
                });
    }

    /** Where each packet or flowlet chooses its own path, a later one may be sooner there. */
    private boolean isOnOnePath() {
        return built.what().topology().paths().unit() == Unit.FLOW;
    }

    private static void requireOnce(Flow flow, FlowStatistics seen) {
        if (seen.framesReceived() > seen.framesSent()) {
            throw new BrokenException(
                    "%s: %d frames arrived, but only %d were sent"
                            .formatted(seen.group(), seen.framesReceived(), seen.framesSent()));
        }
        if (flow.finishedPs() != Flow.NOT_YET && seen.framesReceived() != flow.totalFrames()) {
            throw new BrokenException(
                    "%s: finished with %d of %d frames"
                            .formatted(seen.group(), seen.framesReceived(), flow.totalFrames()));
        }
    }

    private static boolean mayReorder(Fault fault) {
        return switch (fault) {
            case Fault.OfLink of -> {
                LinkFaults faults = of.faults();
                yield faults.kind() != FrameKind.NOTICES
                        && (faults.corruptionProbability() > 0
                                || faults.reorderProbability() > 0
                                || faults.repeatProbability() > 0);
            }
            case Fault.Flap flap -> true;
            case Fault.Stall stall -> false;
        };
    }
}
