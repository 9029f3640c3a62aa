package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * The state of a node when it was last checked: its counters, its frames, and the frames and slots
 * of its halves.
 */
final class NodeSnapshot {
    private static final int OF_FRAME = 4;
    private static final int OF_PORT = 3;

    private final VirtualNode node;
    private final MadeFrames made;
    private final MemorySegment counters;
    private final long[] ports;

    // By frame that had been created, in the order of the slots.
    private int[] frames = {};

    NodeSnapshot(VirtualNode node, MadeFrames made) {
        this.node = node;
        this.made = made;
        long[] values = new long[(int) (node.engineHost().counterValues().byteSize() / Long.BYTES)];
        this.counters = MemorySegment.ofArray(values);
        this.ports = new long[node.engine().ports() * OF_PORT];
    }

    void take() {
        counters.copyFrom(node.engineHost().counterValues());
        Engine engine = node.engine();
        Frame[] all = made.all();
        if (frames.length != all.length * OF_FRAME) {
            frames = new int[all.length * OF_FRAME];
        }
        int at = 0;
        for (Frame frame : all) {
            frames[at] = frame.place;
            frames[at + 1] = frame.chargedBytes;
            frames[at + 2] = frame.lengthBytes;
            frames[at + 3] = frame.storedBytes;
            at += OF_FRAME;
        }
        for (int port = 0, of = 0; of < ports.length; port++, of += OF_PORT) {
            ports[of] = engine.ingress(port).freeSlots();
            ports[of + 1] = engine.egress(port).heldFrames();
            ports[of + 2] = engine.ingress(port).accounts().totalBytes();
        }
    }

    boolean isStillSo() {
        if (counters.mismatch(node.engineHost().counterValues()) >= 0) {
            return false;
        }
        Frame[] all = made.all();
        if (frames.length != all.length * OF_FRAME) {
            return false; // one has been created
        }
        int at = 0;
        for (Frame frame : all) {
            // One branch: what differs is rare, and each of four would be asked of every frame.
            int differs = frames[at] ^ frame.place;
            differs |= frames[at + 1] ^ frame.chargedBytes;
            differs |= frames[at + 2] ^ frame.lengthBytes;
            differs |= frames[at + 3] ^ frame.storedBytes;
            if (differs != 0) {
                return false;
            }
            at += OF_FRAME;
        }
        Engine engine = node.engine();
        for (int port = 0, of = 0; of < ports.length; port++, of += OF_PORT) {
            if (ports[of] != engine.ingress(port).freeSlots()
                    || ports[of + 1] != engine.egress(port).heldFrames()
                    || ports[of + 2] != engine.ingress(port).accounts().totalBytes()) {
                return false;
            }
        }
        return true;
    }
}
