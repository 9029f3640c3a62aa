package io.headgate.dataplane.pause;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.PriorityQueues;
import java.lang.foreign.MemorySegment;

/**
 * The sending side of pauses at a port: obeys those that the far end asks for, and sends those that
 * the ingress half wants. Owned by the egress half.
 */
public final class PauseTransmitter implements LinkSender {
    private final PauseSender sender;
    private final PauseState state;
    private final PauseRegister register;
    private int dropping;

    /** Of the same port. */
    public PauseTransmitter(PauseSender sender, PauseState state, PauseRegister register) {
        this.sender = sender;
        this.state = state;
        this.register = register;
    }

    @Override
    public void look(long nowNs, QueueFields queues) {
        state.paused(nowNs);
    }

    @Override
    public int eligible() {
        return PriorityQueues.ALL & ~state.paused();
    }

    @Override
    public StopTimes stops() {
        return state.times();
    }

    @Override
    public long dataDeadlineNs() {
        return state.deadlineNs();
    }

    @Override
    public long stopsAsked(int queue) {
        return state.pausesReceived(queue);
    }

    @Override
    public void dropping(int queues) {
        dropping = queues;
    }

    @Override
    public boolean isDue(long nowNs) {
        return sender.due(nowNs, wanted()) != 0;
    }

    private int wanted() {
        return register.loadWantedAcquire() & ~dropping;
    }

    @Override
    public long deadlineNs() {
        return sender.deadlineNs();
    }

    /**
     * The far end's pause then runs out no earlier than we think: it leaves no earlier than now.
     */
    @Override
    public int write(long presentNs, MemorySegment segment, long frame, long source) {
        int wanted = wanted();
        sender.write(presentNs, wanted, sender.due(presentNs, wanted), segment, frame, source);
        return MacControl.FRAME_BYTES;
    }

    @Override
    public void linkChanged() {
        sender.reset();
    }

    @Override
    public void change(PortConfig port) {
        FlowControlConfig.Pause pause = port.flowControl().pause();
        if (pause != null) {
            sender.change(pause);
        }
    }

    /** What makes the pauses that the far end is asked for. */
    public PauseSender sender() {
        return sender;
    }

    /** What the far end has asked for. */
    public PauseState state() {
        return state;
    }
}
