package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A packet that waits at a port: its frame, its queue, and the fields that the policy reads,
 * captured on arrival. The policy's own code reads these by name. Objects are reused.
 */
final class Packet extends Place {
    /** Null while this object is unused. */
    @Nullable Frame frame;

    /** Number of its queue. */
    int queue;

    /** Arrival time, in ns. */
    long timeNs;

    /** Its place in the queue's drop order, if that is another order. */
    final Place admission = new Place(this);

    final Fields fields;

    /**
     * @param fields shared fields if the policy keeps none per packet, else its own
     */
    Packet(Fields fields) {
        this.fields = fields;
    }

    Frame frame() {
        Frame of = frame;
        if (of == null) {
            throw new IllegalStateException("no packet");
        }
        return of;
    }

    /** Fields that are kept per packet; a separate object, because most policies keep none. */
    static final class Fields {
        long value;
        long work;
        long slack;
        long flow;
        long size;
        long length;
        long tos;
        long id;
        long ttl;
        long protocol;
        long source;
        long destination;
    }
}
