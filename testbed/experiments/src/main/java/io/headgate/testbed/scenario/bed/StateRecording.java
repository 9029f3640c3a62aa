package io.headgate.testbed.scenario.bed;

import io.headgate.config.PortConfig;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.control.daemon.Answers.Thresholds;
import io.headgate.control.report.Json;
import io.headgate.control.web.PortView;
import io.headgate.control.web.RecordingFile;
import io.headgate.control.web.StateLines.Counted;
import io.headgate.control.web.StateRecorder;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.deadlock.Deadlock;
import io.headgate.testbed.virtual.deadlock.DeadlockWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records the counters of a run's switches at equal intervals, so that the page can play them. */
final class StateRecording implements AutoCloseable {
    private static final double PS_PER_S = 1e12;

    private final Path file;
    private final StateRecorder recorder;
    private final DeadlockWatch deadlocks;

    StateRecording(Path file, VirtualNetwork network, DeadlockWatch deadlocks)
            throws ScenarioException {
        this.file = file;
        this.deadlocks = deadlocks;
        NetworkPlan plan = network.plan();
        List<Counted> counters = new ArrayList<>();
        for (SwitchNode node : network.switches()) {
            counters.add(
                    new Counted(
                            node.name(),
                            node.engine().counters().entries(),
                            node.engine().counters()::value));
        }
        try {
            recorder = new StateRecorder(file, plan.topology().name(), ports(plan), counters);
            recorder.record(0);
        } catch (IOException | UncheckedIOException e) {
            throw refused(e);
        }
    }

    private static List<PortView> ports(NetworkPlan plan) {
        Map<String, String> peers = new HashMap<>();
        for (LinkPlan link : plan.links()) {
            peers.put(plan.place(link.a()), plan.place(link.b()));
            peers.put(plan.place(link.b()), plan.place(link.a()));
        }
        List<PortView> ports = new ArrayList<>();
        for (SwitchConfig config : plan.switches()) {
            for (PortConfig port : config.ports()) {
                ports.add(
                        new PortView(
                                config.name(),
                                port.name(),
                                peers.getOrDefault(config.name() + ":" + port.name(), ""),
                                port.rateBps(),
                                port.queueLimitBytes(),
                                Thresholds.of(port)));
            }
        }
        return ports;
    }

    void record(long nowPs) throws ScenarioException {
        recorder.deadlock(
                deadlocks.found().stream()
                        .filter(Deadlock::lasts)
                        .findFirst()
                        .map(StateRecording::json)
                        .orElse("null"));
        try {
            recorder.record(nowPs / PS_PER_S);
        } catch (UncheckedIOException e) {
            throw refused(e);
        }
    }

    /** As the page reads it. */
    private record Shown(List<String> cycle, String says) {}

    private static String json(Deadlock deadlock) {
        List<String> cycle =
                deadlock.circle().stream()
                        .map(queue ->
                                "%s:%s %s"
                                        .formatted(
                                                queue.node(), queue.portName(), queue.priority()))
                        .toList();
        return Json.COMPACT.writeValueAsString(new Shown(cycle, deadlock.describe()));
    }

    private ScenarioException refused(Exception e) {
        return new ScenarioException("cannot write the recording " + file + ": " + Reason.of(e));
    }

    /** A sentence with the recording's file and size. */
    String describe() throws ScenarioException {
        try {
            return RecordingFile.describe(file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    @Override
    public void close() throws ScenarioException {
        try {
            recorder.close();
        } catch (IOException e) {
            throw refused(e);
        }
    }
}
