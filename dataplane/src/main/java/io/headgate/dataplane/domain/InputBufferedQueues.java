package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * The packets that wait for one output of an {@link InputBuffered} switch: one list per priority,
 * in the order of arrival at the switch over all inputs. The first packet that may be read starts.
 *
 * <p>Bounded by the inputs' buffers, a few packets each; a list is searched from its oldest packet.
 */
final class InputBufferedQueues extends DomainQueues {
    private final InputBuffered domain;

    // That of the port, once it has been asked.
    private @Nullable Pacer pacer;

    InputBufferedQueues(
            InputBuffered domain, int output, PortConfig port, @Nullable Schedule schedule) {
        super(domain, output, 1, port, schedule);
        this.domain = domain;
    }

    /** The output that a packet waits for. */
    static int outputOf(Frame frame) {
        return frame.queue / TrafficConfig.PRIORITIES;
    }

    /** Whether the port could start a packet that waits for it, as known now. */
    boolean mayStart(long nowNs, Frame frame) {
        return pacer != null && pacer.mayStart(nowNs) && isEligible(frame.priority);
    }

    @Override
    int listOf(Frame frame) {
        return 0;
    }

    @Override
    int queueOf(Frame frame) {
        return egress * TrafficConfig.PRIORITIES + frame.priority;
    }

    @Override
    void asked(Pacer ofPort) {
        pacer = ofPort;
        domain.asked(egress);
    }

    @Override
    @Nullable Frame next(int priority) {
        for (Frame frame = head(0, priority); frame != null; frame = behind(frame)) {
            if (domain.mayStart(frame, egress)) {
                return frame;
            }
        }
        return null;
    }

    @Override
    @Nullable Frame firstOf(int priority) {
        for (Frame frame = head(0, priority); frame != null; frame = behind(frame)) {
            if (domain.isReadable(frame)) {
                return frame;
            }
        }
        return head(0, priority);
    }

    @Override
    public void handOver(Queues next) {
        super.handOver(next);
        ((InputBufferedQueues) next).pacer = pacer;
    }
}
