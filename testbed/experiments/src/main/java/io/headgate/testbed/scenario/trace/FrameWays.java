package io.headgate.testbed.scenario.trace;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.Reason;
import io.headgate.control.trace.TraceEventWriter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Writes the paths of a run's frames as trace events. For each hop it shows the frame's wait in the
 * node, from its arrival to the start of its transmission, and the transmission, with an arrow to
 * the next hop's. It also shows pauses, from the arrival of the frame that begins one to that of
 * the frame that ends it, or to the end of its time.
 *
 * <p>A frame is recognised at the next hop by its bytes after the IPv4 header, which no bridge or
 * router changes. A frame that has grown on its way, or was wrapped for a detour, is shown as
 * another frame.
 */
public final class FrameWays implements LinkObserver, AutoCloseable {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final int GAP_BYTES = 12;

    /** More would make a file of a gigabyte, which no viewer opens. */
    private static final long MOST_EVENTS = 5_000_000;

    private static final int ALL_PRIORITIES = PRIORITIES;
    private static final int PAUSE_THREADS = 1_000_000;

    /**
     * One direction of a link.
     *
     * @param node sending node
     * @param port its port, as text
     * @param far receiving node
     * @param farPort its port, as text
     * @param isToHost whether frames end there
     */
    public record Direction(
            String node, String port, String far, String farPort, boolean isToHost, long rateBps) {}

    private static final class Way {
        private final long number;
        private long arrivePs;
        private int node;

        Way(long number) {
            this.number = number;
        }
    }

    /** A pause of one priority of the port where a direction's frames arrive. */
    private static final class Pause {
        private long fromPs;
        private long untilPs;
        private boolean isNamed;
    }

    private final TraceEventWriter out;
    private final List<Direction> directions;
    private final List<String> hosts;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Long2ObjectHashMap<Way> ways = new Long2ObjectHashMap<>();
    private final Pause[][] pauses;
    private long numbers;
    private long cutPs = LOST;

    /**
     * Begins a file; replaces an existing one.
     *
     * @param directions directions by number
     * @param hosts names of hosts by number
     * @throws ScenarioException if it cannot be written
     */
    public FrameWays(Path file, List<Direction> directions, List<String> hosts)
            throws ScenarioException {
        try {
            this.out = new TraceEventWriter(file);
        } catch (IOException e) {
            throw new ScenarioException(Reason.of(e), e);
        }
        this.directions = List.copyOf(directions);
        this.hosts = List.copyOf(hosts);
        this.pauses = new Pause[directions.size()][ALL_PRIORITIES + 1];
        for (int number = 0; number < directions.size(); number++) {
            Direction one = directions.get(number);
            out.threadName(
                    node(one.node), thread(number), one.port + " → " + one.far + " " + one.farPort);
            for (int priority = 0; priority <= ALL_PRIORITIES; priority++) {
                pauses[number][priority] = new Pause();
            }
        }
    }

    private int node(String name) {
        Integer known = nodes.get(name);
        if (known == null) {
            known = nodes.size() + 1;
            nodes.put(name, known);
            out.nodeName(known, name);
        }
        return known;
    }

    private static int thread(int direction) {
        return direction + 1;
    }

    @Override
    public void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        if (out.events() >= MOST_EVENTS) {
            cutPs = Math.min(cutPs, startPs);
            return;
        }
        Direction on = directions.get(direction);
        int node = node(on.node);
        long header = transport(address, storedBytes);
        out.frame(
                node,
                thread(direction),
                name(address, storedBytes, header),
                startPs,
                wirePs(lengthBytes, on.rateBps),
                lengthBytes,
                arrivePs == LOST);
        if (header != 0) {
            follow(direction, startPs, arrivePs, header, address + storedBytes);
        } else if (arrivePs != LOST) {
            pause(direction, arrivePs, address, storedBytes);
        }
    }

    private static long wirePs(int lengthBytes, long rateBps) {
        long bits =
                8L
                        * (Math.max(lengthBytes, Ethernet.MIN_FRAME_BYTES)
                                + Ethernet.WIRE_OVERHEAD_BYTES
                                - GAP_BYTES);
        return bits * PS_PER_S / rateBps;
    }

    private void follow(int direction, long startPs, long arrivePs, long header, long end) {
        Direction on = directions.get(direction);
        int node = node(on.node);
        long key = hash(header, end);
        Way way = ways.get(key);
        boolean isNew = way == null;
        if (way == null) {
            way = new Way(++numbers);
            ways.put(key, way);
            long traffic = traffic(header, end);
            if (traffic != 0 && isData(traffic)) {
                long waitedPs = TrafficHeader.agePs(startPs, TrafficHeader.timePs(MEMORY, traffic));
                out.overlapping(
                        node,
                        "host",
                        "due, and waits to be sent",
                        ++numbers,
                        startPs - Math.min(waitedPs, startPs),
                        startPs);
            }
        } else if (way.node == node) {
            out.overlapping(
                    node, "queue", "waits for " + on.port, ++numbers, way.arrivePs, startPs);
        }
        boolean isLast = on.isToHost || arrivePs == LOST;
        if (!isNew || !isLast) {
            out.arrow(
                    isNew ? "s" : isLast ? "f" : "t", node, thread(direction), way.number, startPs);
        }
        if (isLast) {
            ways.remove(key);
        } else {
            way.arrivePs = arrivePs;
            way.node = node(on.far);
        }
    }

    /** Where the bytes begin that stay as they are on the way; 0: it is not of IPv4. */
    private static long transport(long address, int storedBytes) {
        int at = Ethernet.HEADER_BYTES;
        int type = Ethernet.etherType(MEMORY, address);
        if (type == EtherType.VLAN) {
            type = Vlan.etherType(MEMORY, address + Ethernet.ETHER_TYPE_OFFSET);
            at += Vlan.TAG_BYTES;
        }
        // Ipv4.isValid would refuse a frame whose payload is not stored.
        return type == EtherType.IPV4 && storedBytes - at >= Ipv4.MIN_HEADER_BYTES
                ? address + at + Ipv4.headerBytes(MEMORY, address + at)
                : 0;
    }

    /** FNV-1a. */
    private static long hash(long from, long end) {
        long hash = 0xCBF2_9CE4_8422_2325L;
        for (long at = from; at < end; at++) {
            hash = (hash ^ (MEMORY.get(ValueLayout.JAVA_BYTE, at) & 0xFF)) * 0x100_0000_01B3L;
        }
        return hash;
    }

    /** The test bed's own header behind UDP or BTH; 0: there is none. */
    private static long traffic(long transport, long end) {
        long header = transport + Udp.HEADER_BYTES;
        if (header + Bth.HEADER_BYTES <= end
                && Udp.destinationPort(MEMORY, transport) == Bth.UDP_PORT) {
            int opcode = Bth.opcode(MEMORY, header);
            if (opcode == RcOpcode.ACKNOWLEDGE || opcode == Bth.CONGESTION_NOTIFICATION) {
                return 0;
            }
            header += Bth.HEADER_BYTES + RcOpcode.extendedBytes(opcode);
        }
        return header + TrafficHeader.BYTES <= end ? header : 0;
    }

    private static boolean isData(long traffic) {
        return (TrafficHeader.kind(MEMORY, traffic) & TrafficHeader.KIND_MASK)
                == TrafficHeader.DATA;
    }

    private String name(long address, int storedBytes, long transport) {
        if (transport == 0) {
            return MacControl.isPfc(MEMORY, address, storedBytes)
                            || MacControl.isPause(MEMORY, address, storedBytes)
                    ? "pause frame"
                    : "0x%04x".formatted(Ethernet.etherType(MEMORY, address));
        }
        boolean isUdp =
                transport + Udp.HEADER_BYTES <= address + storedBytes
                        && Ipv4.protocol(MEMORY, transport - Ipv4.MIN_HEADER_BYTES)
                                == IpProtocol.UDP;
        long traffic = isUdp ? traffic(transport, address + storedBytes) : 0;
        if (traffic == 0) {
            return isUdp ? "answer" : "notice";
        }
        int host = TrafficHeader.host(MEMORY, traffic);
        return "%s%s.%d #%d"
                .formatted(
                        isData(traffic) ? "" : "ack ",
                        host < hosts.size() ? hosts.get(host) : "host " + host,
                        TrafficHeader.flow(MEMORY, traffic),
                        Integer.toUnsignedLong(TrafficHeader.sequence(MEMORY, traffic)));
    }

    private void pause(int direction, long arrivePs, long address, int storedBytes) {
        if (MacControl.isPfc(MEMORY, address, storedBytes)) {
            int enabled = MacControl.enabled(MEMORY, address);
            for (int priority = 0; priority < PRIORITIES; priority++) {
                if ((enabled >>> priority & 1) != 0) {
                    int quanta = MacControl.quanta(MEMORY, address, priority);
                    hears(direction, priority, arrivePs, quanta);
                }
            }
        } else if (MacControl.isPause(MEMORY, address, storedBytes)) {
            hears(direction, ALL_PRIORITIES, arrivePs, MacControl.pauseQuanta(MEMORY, address));
        }
    }

    private void hears(int direction, int priority, long nowPs, int quanta) {
        Pause pause = pauses[direction][priority];
        if (quanta == 0 || pause.untilPs < nowPs) {
            end(direction, priority, Math.min(pause.untilPs, nowPs));
        }
        if (quanta > 0) {
            if (pause.fromPs == pause.untilPs) {
                pause.fromPs = nowPs;
            }
            long quantumPs = ConfigDefaults.quantumPs(directions.get(direction).rateBps);
            pause.untilPs = nowPs + quanta * quantumPs;
        }
    }

    private void end(int direction, int priority, long atPs) {
        Pause pause = pauses[direction][priority];
        if (pause.fromPs < atPs) {
            Direction from = directions.get(direction);
            int node = node(from.far);
            int thread = PAUSE_THREADS + direction * (ALL_PRIORITIES + 1) + priority;
            String what = priority == ALL_PRIORITIES ? "" : ", priority " + priority;
            if (!pause.isNamed) {
                pause.isNamed = true;
                out.threadName(node, thread, "pauses of " + from.farPort + what);
            }
            String name = from.node + " stops " + from.farPort + what;
            out.interval(node, thread, "pause", name, pause.fromPs, atPs - pause.fromPs);
        }
        pause.fromPs = atPs;
        pause.untilPs = atPs;
    }

    /** Ends all open events at the end of the run. */
    public void end(long nowPs) {
        for (int direction = 0; direction < pauses.length; direction++) {
            for (int priority = 0; priority <= ALL_PRIORITIES; priority++) {
                end(direction, priority, Math.min(pauses[direction][priority].untilPs, nowPs));
            }
        }
    }

    /** A sentence with the number of events, and the time at which they end if not with the run. */
    public String describe(Path file) {
        String cut =
                cutPs == LOST
                        ? ""
                        : ", and none after %.3f us: viewers cannot open more"
                                .formatted(cutPs / 1e6);
        return "trace events: %s, %d%s; ui.perfetto.dev opens it"
                .formatted(file, out.events(), cut);
    }

    @Override
    public void close() throws ScenarioException {
        try {
            out.close();
        } catch (IOException e) {
            throw new ScenarioException(Reason.of(e), e);
        }
    }
}
