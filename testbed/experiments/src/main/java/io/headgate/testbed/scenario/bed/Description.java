package io.headgate.testbed.scenario.bed;

import io.headgate.config.key.Quantity;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyWriter;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes everything that determines a run, in a form that can be written into its result. */
public final class Description {
    private Description() {}

    public static Map<String, Object> of(Experiment experiment, NetworkPlan plan) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("topology", TopologyWriter.toMap(plan.topology()));
        map.put("durationPs", experiment.durationPs());
        map.put("recording", experiment.recording());
        map.put("scale", plan.options().scale());
        map.put("flows", experiment.flows().stream().map(Description::flow).toList());
        map.put("arrivals", experiment.arrivals().stream().map(Description::source).toList());
        if (!experiment.orders().isEmpty()) {
            map.put("orders", experiment.orders());
        }
        if (!experiment.linkOrders().isEmpty()) {
            map.put("linkOrders", experiment.linkOrders());
        }
        NetworkModel.OutOfBand outOfBand = experiment.model().outOfBand();
        if (outOfBand != null) {
            map.put("outOfBandAcknowledgements", String.valueOf(outOfBand));
        }
        List<Object> hosts = new ArrayList<>();
        for (HostPlan host : plan.hosts()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", host.name());
            entry.put("address", host.address().getHostAddress());
            entry.put("rateBps", host.rateBps());
            Topology.Host said = plan.topology().hosts().get(host.number());
            if (!said.obeys()) {
                entry.put("obeys", false);
            }
            if (!said.hooks().uses().isEmpty()) {
                entry.put("hooks", String.valueOf(said.hooks()));
            }
            hosts.add(entry);
        }
        map.put("hosts", hosts);
        map.put("switches", plan.switches().stream().map(SwitchConfigs::toMap).toList());
        return map;
    }

    private static Map<String, Object> flow(FlowSpec flow) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", flow.name());
        map.put("source", flow.source());
        map.put("destination", flow.destination());
        map.put("startPs", flow.startPs());
        map.put("stopPs", flow.stopPs());
        map.put("sizeBytes", flow.sizeBytes());
        map.put("pattern", String.valueOf(flow.pattern()));
        map.put("windowFrames", flow.windowFrames());
        map.put("shape", String.valueOf(flow.shape()));
        if (!flow.after().isEmpty()) {
            map.put("after", flow.after().stream().map(Description::after).toList());
        }
        return map;
    }

    private static Object after(FlowSpec.After awaited) {
        return awaited.delayPs() == 0
                ? awaited.flow()
                : awaited.flow() + "+" + Quantity.DELAY.format(awaited.delayPs());
    }

    private static Map<String, Object> source(ArrivalSpec source) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", source.name());
        map.put("source", source.source());
        map.put("destinations", source.destinations());
        map.put("process", String.valueOf(source.process()));
        map.put("sizes", String.valueOf(source.sizes()));
        map.put("startPs", source.startPs());
        map.put("stopPs", source.stopPs());
        map.put("pattern", String.valueOf(source.pattern()));
        map.put("windowFrames", source.windowFrames());
        map.put("shape", String.valueOf(source.shape()));
        return map;
    }
}
