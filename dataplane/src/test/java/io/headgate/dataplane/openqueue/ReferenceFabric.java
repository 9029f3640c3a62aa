package io.headgate.dataplane.openqueue;

import static java.util.Objects.requireNonNull;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A switch that a policy lays out, done as plainly as can be on a {@link ReferencePolicy}: which
 * queue is whose is found by its name ({@code voq12} is of input 1 for output 2, {@code cq12} of
 * that crosspoint, {@code oq2} of output 2; a letter behind says the upper or the lower
 * priorities), and every line is looked at whenever anything may have happened.
 */
final class ReferenceFabric {
    private static final long PS_PER_NS = 1_000;

    private final Policy policy;
    private final ReferencePolicy packets;
    private final long psPerByte;
    private final Map<String, Integer> queues = new HashMap<>();
    private final long[] freePs;

    // Ports of inputs and crosspoints, the one that has moved a packet least recently first.
    private final List<Integer> order = new ArrayList<>();
    private final int firstOutput;
    private final List<Frame> lost = new ArrayList<>();
    private final Map<Frame, Integer> outputs = new HashMap<>();

    ReferenceFabric(
            Policy policy, Binding binding, NamedRandom random, int outputs, long psPerByte) {
        this.policy = policy;
        this.packets = new ReferencePolicy(policy, binding, random);
        this.psPerByte = psPerByte;
        this.firstOutput = policy.ports().size() - outputs;
        this.freePs = new long[policy.ports().size()];
        Arrays.fill(freePs, Long.MIN_VALUE);
        for (int port = 0; port < firstOutput; port++) {
            order.add(port);
        }
        for (int queue = 0; queue < policy.queues().size(); queue++) {
            queues.put(policy.queues().get(queue).name(), queue);
        }
    }

    private @Nullable Integer named(String stage, String place, int priority) {
        Integer queue = queues.get(stage + place);
        return queue == null ? queues.get(stage + place + (priority < 4 ? "a" : "b")) : queue;
    }

    private int behind(String name, int priority) {
        String digits = name.replaceAll("[^0-9]", "");
        String output = digits.substring(digits.length() - 1);
        Integer crosspoint = name.startsWith("voq") ? named("cq", digits, priority) : null;
        return crosspoint == null ? requireNonNull(named("oq", output, priority)) : crosspoint;
    }

    /** A frame comes; answers whether it is in a queue. */
    boolean come(Frame frame, int output, long nowNs) {
        String place = (frame.ingressPort + 1) + "" + (output + 1);
        Integer at = named("voq", place, frame.priority);
        if (at == null) {
            at = named("cq", place, frame.priority);
        }
        if (at == null) {
            at = named("oq", "" + (output + 1), frame.priority);
        }
        outputs.put(frame, output);
        List<Frame> gone = packets.enqueue(frame, nowNs, requireNonNull(at));
        boolean isTaken = !gone.remove(frame);
        lost.addAll(gone);
        return isTaken;
    }

    /** Frames for an output that are lost, and have not been asked for. */
    List<Frame> lost(int output) {
        List<Frame> of = lost.stream().filter(f -> outputs.getOrDefault(f, -1) == output).toList();
        lost.removeAll(of);
        return of;
    }

    private boolean fits(int queue) {
        Frame frame = requireNonNull(packets.head(queue)).frame();
        Policy.Queue from = policy.queues().get(queue);
        int next = behind(from.name(), frame.priority);
        Policy.Queue to = policy.queues().get(next);
        long size = packets.size(frame);
        boolean fits =
                packets.sizeOfQueue(next) == 0 || packets.sizeOfQueue(next) + size <= to.size();
        if (!fits || to.buffer() < 0 || to.buffer() == from.buffer()) {
            return fits;
        }
        long held = packets.sizeOfBuffer(to.buffer());
        return held == 0 || held + size <= policy.buffers().get(to.buffer()).size();
    }

    /** Moves what may move. */
    void move(long nowNs) {
        boolean again = true;
        while (again) {
            again = false;
            for (int port : List.copyOf(order)) {
                if (freePs[port] >= (nowNs + 1) * PS_PER_NS) {
                    continue;
                }
                ReferencePolicy.Packet packet = packets.serve(port, this::fits);
                if (packet == null) {
                    continue;
                }
                Policy.Port line = policy.ports().get(port);
                double share = line.isPercent() ? line.rate() / 100 : 1;
                long since = Math.max(freePs[port], nowNs * PS_PER_NS);
                freePs[port] = since + Math.round(packet.frame().lengthBytes * psPerByte / share);
                int from = packet.queue();
                int next = behind(policy.queues().get(from).name(), packet.frame().priority);
                lost.addAll(packets.enqueue(packet.frame(), nowNs, next));
                order.remove(/* element */ (Integer) port);
                order.add(port);
                again = true;
                break;
            }
        }
    }

    /** The frame that an output starts next; null if none. */
    @Nullable Frame dequeue(int output, int eligible, int[] carries, long nowNs) {
        move(nowNs);
        ReferencePolicy.Packet packet =
                packets.serve(firstOutput + output, q -> (carries[q] & ~eligible) == 0);
        move(nowNs);
        return packet == null ? null : packet.frame();
    }

    /** Frames that wait, or are lost and not asked for. */
    int held() {
        return packets.waiting() + lost.size();
    }
}
