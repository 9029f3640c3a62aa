package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A packet that waits at a port: its frame, its queue, and those of its fields that the policy
 * looks at, taken when it came. The policy's own code reads these by their names. Used again and
 * again.
 */
final class Packet extends Place {
    /** Null while this object is unused. */
    @Nullable Frame frame;

    /** Number of its queue. */
    int queue;

    /** When it came, in ns. */
    long timeNs;

    /** Where it is among the packets of its queue as they are dropped, if that is another order. */
    final Place admission = new Place(this);

    final Fields fields;

    /**
     * @param fields of a packet of the same policy that keeps none, or its own
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

    /** What is kept of a packet: apart, as most policies keep none. */
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
