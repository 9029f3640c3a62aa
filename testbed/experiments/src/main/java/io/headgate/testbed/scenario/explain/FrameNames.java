package io.headgate.testbed.scenario.explain;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.FlowNames;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names the flow of a frame: by the number that the frame carries, or, if telemetry precedes it, by
 * addresses and UDP source port.
 */
final class FrameNames {
    /** The name for frames of unknown flows. */
    static final String OTHERS = "other frames";

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final String ACKNOWLEDGEMENTS = "acknowledgements of ";

    /** Addresses and UDP source port; those of a source have no port of their own. */
    private record Ends(int source, int destination, int port) {}

    private static final int ANY = -1;

    private final Traffic traffic;
    private final int[] addresses;

    // Those of the experiment; flows of sources come and go.
    private final IdentityHashMap<Flow, String> known = new IdentityHashMap<>();
    private final Map<String, String> ofSources = new HashMap<>();
    private final Map<Ends, String> byEnds = new HashMap<>();

    /** Created before the run, when its flows have been added. */
    FrameNames(Experiment experiment, NetworkPlan plan, Traffic traffic) {
        this.traffic = traffic;
        this.addresses =
                plan.hosts().stream()
                        .mapToInt(host -> ByteBuffer.wrap(host.address().getAddress()).getInt())
                        .toArray();
        FlowNames names = new FlowNames(experiment);
        List<Flow> flows = traffic.flows();
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            known.put(flow, names.ofFlow(i));
            add(
                    flow.sourceHost(),
                    flow.destinationHost(),
                    Traffic.sourcePort(flow),
                    names.ofFlow(i));
        }
        for (int i = 0; i < experiment.arrivals().size(); i++) {
            ArrivalSpec source = experiment.arrivals().get(i);
            ofSources.put(source.name() + " " + source.source(), names.ofSource(i));
            for (int destination : source.destinations()) {
                add(source.source(), destination, ANY, names.ofSource(i));
            }
        }
    }

    private void add(int from, int to, int port, String name) {
        int source = addresses[from];
        int destination = addresses[to];
        byEnds.putIfAbsent(new Ends(source, destination, port), name);
        byEnds.putIfAbsent(new Ends(destination, source, port), ACKNOWLEDGEMENTS + name);
    }

    String of(Frame frame) {
        if (frame.etherType != EtherType.IPV4 || frame.ipOffset == Frame.ABSENT) {
            return OTHERS;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (Ipv4.protocol(MEMORY, ip) != IpProtocol.UDP) {
            return OTHERS;
        }
        String name = byNumber(frame, ip);
        if (!name.isEmpty()) {
            return name;
        }
        int source = Ipv4.source(MEMORY, ip);
        int destination = Ipv4.destination(MEMORY, ip);
        int port = Udp.sourcePort(MEMORY, ip + Ipv4.headerBytes(MEMORY, ip));
        String ofFlow = byEnds.get(new Ends(source, destination, port));
        return ofFlow != null
                ? ofFlow
                : byEnds.getOrDefault(new Ends(source, destination, ANY), OTHERS);
    }

    /** By the number in the header of our traffic; empty where that is not the flow's. */
    private String byNumber(Frame frame, long ip) {
        long udp = ip + Ipv4.headerBytes(MEMORY, ip);
        long header = udp + Udp.HEADER_BYTES;
        if (Udp.destinationPort(MEMORY, udp) == Bth.UDP_PORT) {
            int opcode = Bth.opcode(MEMORY, header);
            header += Bth.HEADER_BYTES + RcOpcode.extendedBytes(opcode);
        }
        if (frame.storedBytes < header + TrafficHeader.BYTES - frame.dataOffset) {
            return "";
        }
        int host = TrafficHeader.host(MEMORY, header);
        Flow flow = traffic.flow(host, TrafficHeader.flow(MEMORY, header));
        int kind = TrafficHeader.kind(MEMORY, header) & TrafficHeader.KIND_MASK;
        boolean isData = kind == TrafficHeader.DATA;
        if (flow == null || (!isData && kind != TrafficHeader.ACK)) {
            return "";
        }
        int sender = isData ? flow.sourceHost() : flow.destinationHost();
        if (Ipv4.source(MEMORY, ip) != addresses[sender]) {
            return "";
        }
        String own = known.get(flow);
        String name =
                own != null ? own : ofSources.getOrDefault(flow.group().name() + " " + host, "");
        return name.isEmpty() || isData ? name : ACKNOWLEDGEMENTS + name;
    }
}
