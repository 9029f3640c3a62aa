package io.headgate.testbed.traffic;

import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.Segmentation;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Begins a host's flows and computes what stays constant during each of them. Owned by the host's
 * device.
 */
final class FlowStarter {
    private static final long ANY_RATE_BPS = 400_000_000_000L;
    private static final long PS_PER_NS = 1000;

    private final TrafficHosts hosts;
    private final TrafficHosts.Peer self;
    private final FlowScheduler scheduler;
    private final long timeoutPs;

    private long lineRateBps = ANY_RATE_BPS;

    // Called once, when the first flow begins that obeys notices; null after that.
    private @Nullable Runnable wantsNotices;

    FlowStarter(
            TrafficHosts hosts, TrafficHosts.Peer self, FlowScheduler scheduler, long timeoutPs) {
        this.hosts = hosts;
        this.self = self;
        this.scheduler = scheduler;
        this.timeoutPs = timeoutPs;
    }

    void lineRateBps(long bps) {
        lineRateBps = bps;
    }

    void wantsNotices(Runnable wanted) {
        wantsNotices = wanted;
    }

    /**
     * A flow that waits until others are complete, as far as its host knows: the host has all of
     * those that it receives, and the acknowledgement of those that it sends.
     */
    final class Held implements Flow.Follower {
        private final Flow flow;
        private long notBeforePs;
        private int awaited;

        /**
         * @param notBeforePs when it begins at the earliest
         */
        Held(Flow flow, long notBeforePs) {
            this.flow = flow;
            this.notBeforePs = notBeforePs;
        }

        /**
         * Adds a flow to wait for; null: one that is never complete.
         *
         * @param delayPs delay after its completion
         */
        void await(@Nullable Flow earlier, long delayPs) {
            awaited++;
            if (earlier != null) {
                earlier.precede(
                        delayPs == 0 ? this : (host, nowPs) -> complete(host, nowPs + delayPs));
            }
        }

        @Override
        public void complete(int host, long nowPs) {
            if (flow.sourceHost != host) {
                return;
            }
            notBeforePs = Math.max(notBeforePs, nowPs);
            if (--awaited == 0) {
                release(flow, notBeforePs);
            }
        }
    }

    /** Opens a kept connection, which {@link #carry} gives one message after another. */
    Flow keep(
            Flow.Origin origin,
            FlowGroup group,
            FrameShape shape,
            int destination,
            int windowFrames,
            @Nullable Pacing pacing) {
        Flow flow =
                hold(origin, group, shape, destination, FlowSpec.UNLIMITED, windowFrames, pacing);
        flow.kept = new ArrayDeque<>();
        flow.totalFrames = 0;
        return flow;
    }

    /** Begins the next message of a kept connection; all before it must have left the host. */
    void carry(Flow flow, long startPs, long sizeBytes) {
        Deque<Flow.Message> kept = Objects.requireNonNull(flow.kept);
        MessageEnds messages = flow.ends;
        long frames;
        if (messages == null) {
            frames = flow.shape.segmentation().frames(sizeBytes);
        } else {
            frames = MessageEnds.packets(flow.shape, sizeBytes);
            messages.carry(sizeBytes);
        }
        boolean isFirst = flow.totalFrames == 0;
        flow.totalFrames += frames;
        flow.lastFrameBytes = lastFrameBytes(flow.shape, sizeBytes);
        kept.add(
                new Flow.Message(
                        flow.totalFrames,
                        sizeBytes,
                        startPs - Math.floorMod(startPs, PS_PER_NS),
                        hosts.idealPs(flow, frames, flow.lastFrameBytes)));
        if (isFirst) {
            release(flow, startPs);
        } else {
            self.counts(flow.group).flowsStarted++;
            flow.duePs = Math.max(flow.duePs, startPs);
            scheduler.resume(flow, startPs);
        }
    }

    Flow hold(
            Flow.@Nullable Origin origin,
            FlowGroup group,
            FrameShape shape,
            int destination,
            long sizeBytes,
            int windowFrames,
            @Nullable Pacing pacing) {
        FlowTable flows = self.flows;
        flows.forgetCompleted(self.nowPs());
        Flow flow = new Flow(scheduler, self.host, flows.begun(), group, shape);
        flow.origin = origin;
        flow.destinationHost = destination;
        flow.priority = self.priorityOf(shape, shape.priority(), shape.dscp());
        FrameShape.Acknowledgement ack = shape.acknowledgement();
        flow.ackPriority = hosts.peer(destination).priorityOf(shape, ack.priority(), ack.dscp());
        flow.startPs = Long.MAX_VALUE;
        flow.stopPs = Long.MAX_VALUE;
        flow.windowFrames = windowFrames;
        flow.pacing = pacing;
        setLengths(flow, sizeBytes);
        flow.words = hosts.dataWords(flow, self);
        flows.add(flow);
        return flow;
    }

    void release(Flow flow, long startPs) {
        // Its first frame is made in the nanosecond that has this picosecond: so is the flow.
        flow.startPs = startPs - Math.floorMod(startPs, PS_PER_NS);
        Pacing pacing = flow.pacing;
        if (pacing instanceof Pacing.Controlled controlled) {
            control(flow, controlled);
        }
        flow.duePs = pacing == null ? startPs : pacing.firstDuePs(startPs);
        self.counts(flow.group).flowsStarted++;
        flow.state = Flow.State.TIMED;
        scheduler.wait(flow);
    }

    private void setLengths(Flow flow, long sizeBytes) {
        FrameShape shape = flow.shape;
        Segmentation segmentation = shape.segmentation();
        boolean isEnding = sizeBytes != FlowSpec.UNLIMITED;
        flow.sizeBytes = sizeBytes;
        flow.fullFrameBytes = shape.frameLengthBytes(segmentation.maxSegmentBytes());
        if (shape.isReliable()) {
            Pacing.Controlled control =
                    flow.pacing instanceof Pacing.Controlled controlled ? controlled : null;
            flow.ends =
                    new MessageEnds(
                            () -> self.counts(flow.group),
                            shape,
                            sizeBytes,
                            flow.windowFrames,
                            control == null
                                    ? RateControlMechanism.USUAL_ACK_EVERY
                                    : control.ackEvery,
                            control == null ? null : control.hopEcho,
                            timeoutPs);
            flow.totalFrames = MessageEnds.packets(shape, sizeBytes);
        } else {
            flow.totalFrames = isEnding ? segmentation.frames(sizeBytes) : Long.MAX_VALUE;
        }
        flow.lastFrameBytes = isEnding ? lastFrameBytes(shape, sizeBytes) : flow.fullFrameBytes;
    }

    private static int lastFrameBytes(FrameShape shape, long sizeBytes) {
        return shape.frameLengthBytes(
                shape.isReliable()
                        ? MessageEnds.lastPacketBytes(shape, sizeBytes)
                        : shape.segmentation().lastSegmentBytes(sizeBytes));
    }

    private void control(Flow flow, Pacing.Controlled controlled) {
        flow.control(controlled, lineRateBps, hosts.wireBytes(flow.fullFrameBytes));
        flow.cnpPriority =
                hosts.peer(flow.destinationHost).priorityOf(flow.shape, Cnp.PRIORITY, Cnp.DSCP);
        Runnable wanted = wantsNotices;
        if (controlled.noticePeriodNs > 0 && wanted != null) {
            wantsNotices = null;
            wanted.run();
        }
    }
}
