package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * The frames that wait for one egress port at all inputs of a {@link Crossbar}. Each priority
 * consists of one first-in first-out queue per input (its number is in {@link Frame#queue}), and
 * the inputs are served in turn.
 *
 * <p>Enqueue and dequeue do not look at more than one frame per input.
 */
final class CrossbarQueues extends DomainQueues {
    private final Crossbar crossbar;
    private final int inputs;

    // By priority, whose turn it is next: the first input from here on that may send.
    private final int[] turn = new int[TrafficConfig.PRIORITIES];

    CrossbarQueues(Crossbar crossbar, int egress, PortConfig port, @Nullable Schedule schedule) {
        super(crossbar, egress, crossbar.lines.length, port, schedule);
        this.crossbar = crossbar;
        this.inputs = crossbar.lines.length;
    }

    @Override
    int listOf(Frame frame) {
        return frame.ingressPort;
    }

    @Override
    int queueOf(Frame frame) {
        return frame.ingressPort * TrafficConfig.PRIORITIES + frame.priority;
    }

    @Override
    void asked(Pacer pacer) {
        // The egress that is asked first may take an input.
    }

    @Override
    @Nullable Frame next(int priority) {
        int input = turn[priority];
        for (int looked = 0; looked < inputs; looked++) {
            Frame first = head(input, priority);
            if (first != null && crossbar.maySend(input, first)) {
                return first;
            }
            input = after(input);
        }
        return null;
    }

    @Override
    @Nullable Frame firstOf(int priority) {
        Frame next = next(priority);
        return next == null ? inTurn(priority) : next;
    }

    /**
     * The next frame of the priority: that of the first non-empty input, from the input whose turn
     * it is.
     */
    private @Nullable Frame inTurn(int priority) {
        int input = turn[priority];
        for (int looked = 0; looked < inputs; looked++) {
            Frame first = head(input, priority);
            if (first != null) {
                return first;
            }
            input = after(input);
        }
        return null;
    }

    private int after(int input) {
        return input + 1 < inputs ? input + 1 : 0;
    }

    @Override
    void starts(Frame frame) {
        super.starts(frame);
        turn[frame.priority] = after(frame.ingressPort);
    }

    @Override
    public void handOver(Queues next) {
        super.handOver(next);
        System.arraycopy(turn, 0, ((CrossbarQueues) next).turn, 0, TrafficConfig.PRIORITIES);
    }
}
