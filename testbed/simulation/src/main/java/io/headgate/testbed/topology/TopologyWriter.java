package io.headgate.testbed.topology;

import io.headgate.config.PortTraffic;
import io.headgate.config.RoutedConfig;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a complete topology as text that a report can contain and {@link TopologyReader} can read.
 */
public final class TopologyWriter {
    private TopologyWriter() {}

    /** The topology as maps, lists, texts and numbers, every node and link written out. */
    public static Map<String, Object> toMap(Topology topology) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", topology.name());
        map.put("mode", Codecs.word(topology.mode()));
        if (!topology.paths().equals(RoutedConfig.Paths.FLOW)) {
            map.putAll(Section.of(RoutedConfig.Paths.class).write(topology.paths()));
        }
        map.put("mtu", topology.sizes().mtuBytes());
        map.put("queue-limit", Quantity.SIZE.format(topology.sizes().queueLimitBytes()));
        if (topology.sizes().slotsPerPort() != 0) {
            map.put("slots-per-port", topology.sizes().slotsPerPort());
        }
        if (topology.sizes().sharedBytes() != 0) {
            map.put(
                    "memory",
                    Map.of("shared", Quantity.SIZE.format(topology.sizes().sharedBytes())));
        }
        map.putAll(topology.mechanisms().toMap());
        if (!topology.ports().equals(PortTraffic.NONE)) {
            map.put("ports", topology.ports().toMap());
        }
        map.put("hosts", topology.hosts().stream().map(Topology.Host::name).toList());
        map.put("switches", topology.switches().stream().map(TopologyWriter::node).toList());
        map.put("links", topology.links().stream().map(TopologyWriter::link).toList());
        if (!topology.routes().isEmpty()) {
            Section<Topology.Route> keys = Section.of(Topology.Route.class);
            map.put("routes", topology.routes().stream().map(keys::write).toList());
        }
        return map;
    }

    private static Object node(Topology.Switch node) {
        if (node.seedOffset() == 0) {
            return node.name();
        }
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", node.name());
        map.put("seed-offset", node.seedOffset());
        return map;
    }

    private static Object link(Topology.Link link) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("between", List.of(link.a(), link.b()));
        map.put("rate", Quantity.RATE.format(link.spec().rateBps()));
        map.put("delay", Quantity.DELAY.format(link.spec().delayPs()));
        if (link.cost() != 1) {
            map.put("cost", link.cost());
        }
        if (!link.spec().isPlain()) {
            map.put("deliver-at", Codecs.word(link.spec().deliverAt()));
            map.put("release", Codecs.word(link.spec().release()));
            map.put("slot-credits", link.spec().slotCredits());
            map.put("header-time", Quantity.DELAY.format(link.spec().headerPs()));
        }
        LinkFaults faults = link.spec().faults();
        if (faults != null) {
            map.put("faults", Section.of(LinkFaults.class).write(faults));
        }
        return map;
    }
}
