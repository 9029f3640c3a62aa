package io.headgate.control.metrics;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.run.RunningSwitch;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/** The metrics of the switches that run in this process. */
public final class RunMetrics {
    private static final double NS_PER_SECOND = 1e9;

    private RunMetrics() {}

    /** The counters of switches, and the lossless margins of those of their ports that have one. */
    public static MetricSnapshots of(List<RunningSwitch> switches) {
        CounterMetrics metrics = new CounterMetrics();
        switches.forEach(running -> add(metrics, running));
        return metrics.build();
    }

    private static void add(CounterMetrics metrics, RunningSwitch running) {
        String name = running.config().name();
        CounterSnapshot counters = running.counters();
        metrics.add("switch", name, counters);
        for (FlowControlSection.Margin margin : FlowControlSection.margins(running, counters)) {
            Labels port = Labels.of("switch", name, "port", margin.port());
            metrics.gauge(
                            "lossless_guaranteed",
                            "1 while no frame can be lost, at any load from the neighbour; else 0",
                            port,
                            margin.guaranteed() ? 1 : 0)
                    .gauge(
                            "lossless_spare_seconds",
                            "additional delay that the port's workers may have without loss",
                            port,
                            margin.spareNs() / NS_PER_SECOND);
        }
    }

    public static MetricSnapshots of(HostDaemon agent) {
        CounterMetrics metrics = new CounterMetrics();
        for (int nic = 0; nic < agent.config().nics().size(); nic++) {
            metrics.add("host", agent.config().nics().get(nic).name(), agent.counters(nic));
        }
        return metrics.build();
    }
}
