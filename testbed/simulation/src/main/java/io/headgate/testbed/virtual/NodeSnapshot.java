package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * The state of a node when it was last checked: its counters, its frames, and the frames and slots
 * of its halves.
 */
final class NodeSnapshot {
    private static final int OF_FRAME = 4;
    private static final int OF_PORT = 3;

    /** First value of a slot whose frame object has not been created. */
    private static final int UNMADE = -1;

    private final VirtualNode node;
    private final MemorySegment counters;
    private final int[] frames;
    private final long[] ports;

    NodeSnapshot(VirtualNode node) {
        this.node = node;
        long[] values = new long[(int) (node.engineHost().counterValues().byteSize() / Long.BYTES)];
        this.counters = MemorySegment.ofArray(values);
        this.frames = new int[node.engine().region().slots() * OF_FRAME];
        this.ports = new long[node.engine().ports() * OF_PORT];
    }

    void take() {
        counters.copyFrom(node.engineHost().counterValues());
        Engine engine = node.engine();
        FrameRegion region = engine.region();
        for (int slot = 0, at = 0; at < frames.length; slot++, at += OF_FRAME) {
            Frame frame = region.made(slot);
            if (frame == null) {
                frames[at] = UNMADE;
                continue;
            }
            frames[at] = frame.place;
            frames[at + 1] = frame.chargedBytes;
            frames[at + 2] = frame.lengthBytes;
            frames[at + 3] = frame.storedBytes;
        }
        for (int port = 0, at = 0; at < ports.length; port++, at += OF_PORT) {
            ports[at] = engine.ingress(port).freeSlots();
            ports[at + 1] = engine.egress(port).heldFrames();
            ports[at + 2] = engine.ingress(port).accounts().totalBytes();
        }
    }

    boolean isStillSo() {
        if (counters.mismatch(node.engineHost().counterValues()) >= 0) {
            return false;
        }
        Engine engine = node.engine();
        FrameRegion region = engine.region();
        for (int slot = 0, at = 0; at < frames.length; slot++, at += OF_FRAME) {
            Frame frame = region.made(slot);
            if (frame == null) {
                continue; // it cannot have been there before
            }
            // One branch: what differs is rare, and each of four would be asked of every frame.
            int differs = frames[at] ^ frame.place;
            differs |= frames[at + 1] ^ frame.chargedBytes;
            differs |= frames[at + 2] ^ frame.lengthBytes;
            differs |= frames[at + 3] ^ frame.storedBytes;
            if (differs != 0) {
                return false;
            }
        }
        for (int port = 0, at = 0; at < ports.length; port++, at += OF_PORT) {
            if (ports[at] != engine.ingress(port).freeSlots()
                    || ports[at + 1] != engine.egress(port).heldFrames()
                    || ports[at + 2] != engine.ingress(port).accounts().totalBytes()) {
                return false;
            }
        }
        return true;
    }
}
