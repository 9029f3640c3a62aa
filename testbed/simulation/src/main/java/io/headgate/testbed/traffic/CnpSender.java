package io.headgate.testbed.traffic;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Sends a host's congestion notification packets (CNP), for the arriving flows whose notification
 * points use such packets. A packet that waits for the network card absorbs the flow's later ones.
 * Owned by the host's device; holds no frame.
 */
final class CnpSender {
    private static final long PS_PER_NS = 1000;

    private static int says(int marks) {
        return (marks & RateControl.MARKED_CE) != 0 ? Cnp.CONGESTED : Cnp.UNDETERMINED;
    }

    private final TrafficHosts hosts;
    private final TrafficHosts.Peer self;
    private final FlowScheduler scheduler;

    private final @Nullable Flow[] heads = new Flow[TrafficConfig.PRIORITIES];
    private final @Nullable Flow[] tails = new Flow[TrafficConfig.PRIORITIES];
    private int mask;
    private int timers;

    CnpSender(TrafficHosts hosts, TrafficHosts.Peer self, FlowScheduler scheduler) {
        this.hosts = hosts;
        this.self = self;
        this.scheduler = scheduler;
    }

    /** Accounts a received frame of a flow whose receiver sends notification packets. */
    void arrived(Flow flow, long nowPs, int marks, int wireBytes) {
        NotificationPoint point = flow.echo;
        tell(flow, point.arrived(nowPs / PS_PER_NS, marks, wireBytes));
        setTimer(flow, point);
    }

    private void tick(Flow flow, long duePs) {
        NotificationPoint point = flow.echo;
        tell(flow, point.tick(duePs / PS_PER_NS));
        setTimer(flow, point);
    }

    private void setTimer(Flow flow, NotificationPoint point) {
        long dueNs = point.deadlineNs();
        Timed timer = flow.cnpTimer;
        if (timer == null && dueNs != Long.MAX_VALUE) {
            // Before all frames that are due at the same time, and after the controls' times.
            timer =
                    new Timed(Integer.MIN_VALUE / 4 + timers++) {
                        @Override
                        void onDue() {
                            tick(flow, duePs);
                        }
                    };
            flow.cnpTimer = timer;
        }
        if (timer != null) {
            long duePs = dueNs == Long.MAX_VALUE ? TimerHeap.NEVER : dueNs * PS_PER_NS;
            scheduler.controlled(timer, duePs);
        }
    }

    /** Has the flow's sender notified of marks; 0: none. */
    private void tell(Flow flow, int marks) {
        boolean waits = flow.cnpMarks != 0;
        flow.cnpMarks |= marks;
        if (waits || marks == 0) {
            return;
        }
        int priority = flow.cnpPriority;
        flow.nextCnp = null;
        Flow last = tails[priority];
        if (last == null) {
            heads[priority] = flow;
            mask |= 1 << priority;
        } else {
            last.nextCnp = flow;
        }
        tails[priority] = flow;
        scheduler.wake();
    }

    /** Priorities, as bits, that have a waiting notification packet. */
    int priorities() {
        return mask;
    }

    /**
     * The flow whose notification packet is sent next, of the highest of these priorities; null if
     * none waits.
     */
    @Nullable Flow peek(int priorities) {
        int eligible = mask & priorities;
        return eligible == 0 ? null : heads[31 - Integer.numberOfLeadingZeros(eligible)];
    }

    /** Writes the packet of the flow that {@link #peek} returned, which then no longer waits. */
    void write(Flow flow, Frame frame) {
        int priority = flow.cnpPriority;
        Flow second = flow.nextCnp;
        heads[priority] = second;
        if (second == null) {
            tails[priority] = null;
            mask &= ~(1 << priority);
        }
        flow.nextCnp = null;
        FrameTemplate.congestionNotification(
                frame,
                flow.shape,
                hosts.peer(flow.destinationHost).address,
                hosts.peer(flow.sourceHost).address,
                TrafficHosts.sourcePort(flow),
                flow.number,
                says(flow.cnpMarks),
                flow.echo.arrivedBps());
        flow.cnpMarks = 0;
        flow.echo.left(self.nowPs() / PS_PER_NS);
        setTimer(flow, flow.echo);
    }
}
