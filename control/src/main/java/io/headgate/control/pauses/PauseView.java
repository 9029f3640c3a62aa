package io.headgate.control.pauses;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.dataplane.pause.PauseState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of one switch at a moment: its stopped queues, its ports that stop their senders, and
 * the queues in which the frames that cause this wait. While the switch runs, frames are read one
 * after the other, so sums are approximate; the values of queues that do not move are exact.
 *
 * @param buffers buffers of ports and priorities that hold frames or stop their senders
 * @param peers the far end of each port, by port: {@code s2:p3} for a switch's port, {@code h1} for
 *     a host; ports that are missing have an unknown peer
 */
public record PauseView(
        String name, List<Queue> queues, List<Buffer> buffers, Map<String, String> peers) {

    /**
     * A queue of a port and priority.
     *
     * @param stoppedNs time for which it has been paused, or without credits; 0: it may send
     */
    public record Queue(
            String port, int priority, long stoppedNs, long bytes, long rateBps, List<Held> from) {
        public Queue {
            from = List.copyOf(from);
        }
    }

    /**
     * The frames that came in by a port in a priority.
     *
     * @param stoppingNs time for which its sender has been stopped; 0: it is not stopped
     */
    public record Buffer(String port, int priority, long stoppingNs, List<Held> in) {
        public Buffer {
            in = List.copyOf(in);
        }
    }

    /** Bytes at a port; every list begins with the most. */
    public record Held(String port, int priority, long bytes) {}

    private record Key(int port, int priority) {}

    public PauseView {
        queues = List.copyOf(queues);
        buffers = List.copyOf(buffers);
        peers = new TreeMap<>(peers);
    }

    /** A queue; null if it is empty and may send. */
    public @Nullable Queue queue(String port, int priority) {
        for (Queue queue : queues) {
            if (queue.port.equals(port) && queue.priority == priority) {
                return queue;
            }
        }
        return null;
    }

    /** The buffer of a port and priority; null if it is empty and its sender may send. */
    public @Nullable Buffer buffer(String port, int priority) {
        for (Buffer buffer : buffers) {
            if (buffer.port.equals(port) && buffer.priority == priority) {
                return buffer;
            }
        }
        return null;
    }

    /**
     * The view of an engine at this moment.
     *
     * @param nowNs on the engine's clock
     */
    public static PauseView of(SwitchEngine engine, long nowNs, Map<String, String> peers) {
        List<PortConfig> ports = engine.config().ports();
        Map<Key, Map<Key, Long>> byQueue = new HashMap<>();
        Map<Key, Map<Key, Long>> byBuffer = new HashMap<>();
        for (int slot = 0; slot < engine.region().slots(); slot++) {
            Frame frame = engine.region().made(slot);
            int place = frame == null ? SlotPlace.FREE : frame.place; // once: others write it
            if (frame == null
                    || SlotPlace.kind(place) != SlotPlace.QUEUE
                    || (frame.home & 1) != 0) {
                continue;
            }
            Key queue = new Key(SlotPlace.half(place) >> 1, frame.priority);
            Key buffer = new Key(frame.home >> 1, frame.account);
            if (queue.port < ports.size()
                    && buffer.port < ports.size()
                    && buffer.priority < TrafficConfig.PRIORITIES) {
                long bytes = frame.lengthBytes;
                byQueue.computeIfAbsent(queue, _ -> new HashMap<>())
                        .merge(buffer, bytes, Long::sum);
                byBuffer.computeIfAbsent(buffer, _ -> new HashMap<>())
                        .merge(queue, bytes, Long::sum);
            }
        }
        List<Queue> queues = new ArrayList<>();
        List<Buffer> buffers = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            String name = ports.get(port).name();
            EgressFlowControl flow = engine.egress(port).flow();
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                Key key = new Key(port, priority);
                List<Held> from = held(byQueue.get(key), ports);
                long stoppedNs = stoppedNs(flow, priority, nowNs);
                if (!from.isEmpty() || stoppedNs > 0) {
                    long bytes = from.stream().mapToLong(Held::bytes).sum();
                    long rateBps = ports.get(port).rateBps();
                    queues.add(new Queue(name, priority, stoppedNs, bytes, rateBps, from));
                }
                List<Held> in = held(byBuffer.get(key), ports);
                long stoppingNs = stoppingNs(flow, priority, nowNs);
                if (!in.isEmpty() || stoppingNs > 0) {
                    buffers.add(new Buffer(name, priority, stoppingNs, in));
                }
            }
        }
        return new PauseView(engine.config().name(), queues, buffers, peers);
    }

    private static List<Held> held(@Nullable Map<Key, Long> bytes, List<PortConfig> ports) {
        List<Held> held = new ArrayList<>();
        if (bytes != null) {
            bytes.forEach((key, sum) ->
                    held.add(new Held(ports.get(key.port).name(), key.priority, sum)));
        }
        held.sort(
                Comparator.comparingLong(Held::bytes)
                        .reversed()
                        .thenComparing(Held::port)
                        .thenComparingInt(Held::priority));
        return held;
    }

    /** The time for which a queue has been stopped; 0 if it may send. */
    private static long stoppedNs(@Nullable EgressFlowControl flow, int priority, long nowNs) {
        StopTimes times = flow == null ? null : flow.times();
        if (flow == null || times == null || (times.stopped() >>> priority & 1) == 0) {
            return 0;
        }
        PauseState state = flow.state();
        PfcWatchdog dog = flow.watchdog();
        boolean isOver = state != null && state.untilNs(priority) - nowNs <= 0;
        boolean isIgnored = dog != null && (dog.ignoring() >>> priority & 1) != 0;
        return isOver || isIgnored ? 0 : Math.max(1, times.presentNs(priority, nowNs));
    }

    /** The time for which a port has paused its far end, in ns; 0 if the far end may send. */
    private static long stoppingNs(@Nullable EgressFlowControl flow, int priority, long nowNs) {
        PauseSender sender = flow == null ? null : flow.sender();
        return sender == null ? 0 : Math.max(0, sender.toldNs(priority, nowNs));
    }
}
