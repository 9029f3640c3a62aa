package io.headgate.testbed.swarm.check;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.virtual.VirtualNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the frames that the ports of all nodes drop, by half, reason and priority, and those that
 * they send and receive, by priority. Changes nothing.
 */
final class FrameLog {
    /**
     * Frames dropped.
     *
     * @param ingress whether by the ingress half
     */
    record Drops(
            VirtualNode node,
            int port,
            boolean ingress,
            DropReason reason,
            int priority,
            long frames) {}

    private final List<Counting> taps = new ArrayList<>();

    FrameLog(List<VirtualNode> nodes) {
        for (VirtualNode node : nodes) {
            for (int port = 0; port < node.ports(); port++) {
                Counting in = new Counting(node, port, true);
                Counting out = new Counting(node, port, false);
                node.engine().ingress(port).tap(in);
                node.engine().egress(port).tap(out);
                taps.add(in);
                taps.add(out);
            }
        }
    }

    /** All data frames that a port has sent, by the priority by which they were queued. */
    long[] sent(VirtualNode node, int port) {
        return of(node, port, false).passed;
    }

    /** All data frames that a port has received, by the priority in their bytes. */
    long[] received(VirtualNode node, int port) {
        return of(node, port, true).passed;
    }

    private Counting of(VirtualNode node, int port, boolean ingress) {
        return taps.stream()
                .filter(tap -> tap.node.equals(node) && tap.port == port && tap.ingress == ingress)
                .findFirst()
                .orElseThrow();
    }

    /** All drops, except those of link control and of frames without a valid header. */
    List<Drops> drops() {
        List<Drops> drops = new ArrayList<>();
        for (Counting tap : taps) {
            for (DropReason reason : DropReason.values()) {
                for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                    long frames =
                            tap.frames[reason.ordinal() * TrafficConfig.PRIORITIES + priority];
                    if (frames > 0) {
                        drops.add(
                                new Drops(
                                        tap.node, tap.port, tap.ingress, reason, priority, frames));
                    }
                }
            }
        }
        return drops;
    }

    private static final class Counting implements Tap {
        private final VirtualNode node;
        private final int port;
        private final boolean ingress;
        private final Classifier classifier;
        private final long[] frames = new long[DropReason.COUNT * TrafficConfig.PRIORITIES];
        private final long[] passed = new long[TrafficConfig.PRIORITIES];

        Counting(VirtualNode node, int port, boolean ingress) {
            this.node = node;
            this.port = port;
            this.ingress = ingress;
            this.classifier = new Classifier(node.config(port).traffic());
        }

        @Override
        public void received(int atPort, Frame frame, long nowNs) {
            boolean control =
                    !frame.tagged
                            && (frame.etherType == EtherType.MAC_CONTROL
                                    || frame.etherType == EtherType.LINK_CONTROL);
            // What a detour's tag hides is not looked for: fewer than were sent are counted then.
            if (!control && frame.etherType != DetourTag.ETHER_TYPE) {
                passed[classifier.priorityOf(FrameRegion.MEMORY, frame)]++;
            }
        }

        @Override
        public void transmitted(int atPort, int queue, Frame frame, long nowNs) {
            // What an egress half has made itself is link control.
            if ((frame.home & 1) == 0) {
                passed[queue]++;
            }
        }

        @Override
        public void dropped(int atPort, DropReason reason, Frame frame, long nowNs) {
            frames[reason.ordinal() * TrafficConfig.PRIORITIES + frame.priority]++;
        }
    }
}
