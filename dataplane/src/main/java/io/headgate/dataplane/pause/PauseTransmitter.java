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
 * The sending side of pauses at a port: obeys the far end's pauses, and sends those that the
 * ingress half wants. Owned by the egress half.
 */
public final class PauseTransmitter implements LinkSender {
    private final PauseSender sender;
    private final PauseState state;
    private final PauseRegister register;

    // What the ingress half wanted when this looked last: it may want something else meanwhile.
    private int wanted;
    private int dropping;

    public PauseTransmitter(PauseSender sender, PauseState state, PauseRegister register) {
        this.sender = sender;
        this.state = state;
        this.register = register;
    }

    @Override
    public void look(long nowNs, QueueFields queues) {
        state.paused(nowNs);
        wanted = register.loadWantedAcquire();
    }

    @Override
    public boolean hasNews() {
        return state.hasNews() || wanted != register.loadWantedAcquire();
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
        return sender.due(nowNs, stopping()) != 0;
    }

    private int stopping() {
        return wanted & ~dropping;
    }

    @Override
    public long deadlineNs() {
        return sender.deadlineNs();
    }

    /**
     * {@code presentNs} is no later than the frame leaves, so the far end's pause runs out no
     * earlier than computed here.
     */
    @Override
    public int write(long presentNs, MemorySegment segment, long frame, long source) {
        int stopping = stopping();
        // Not before it was due: at most more is due by now.
        int due = sender.due(presentNs, stopping);
        sender.write(presentNs, stopping, due, segment, frame, source);
        return MacControl.FRAME_BYTES;
    }

    @Override
    public void linkChanged() {
        sender.reset();
        // Nothing was looked at while the link was down.
        wanted = register.loadWantedAcquire();
    }

    @Override
    public void change(PortConfig port) {
        FlowControlConfig.Pause pause = port.flowControl().pause();
        if (pause != null) {
            sender.change(pause);
        }
    }

    public PauseSender sender() {
        return sender;
    }

    public PauseState state() {
        return state;
    }
}
