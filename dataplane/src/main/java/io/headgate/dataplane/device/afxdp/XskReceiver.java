package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;

/**
 * The receive side of an AF_XDP socket: the ingress half's thread owns the fill ring, which lends
 * slots to the kernel, and the receive ring, which returns them as frames.
 *
 * <p>At most as many slots as a ring has entries are lent to the kernel, counted over both rings.
 * So the receive ring cannot overflow: if the switch is too slow, frames are lost for one reason
 * only, an empty fill ring.
 */
public final class XskReceiver {
    /** Fewer than this many slots are not worth a store that the kernel's core must fetch. */
    private static final int REFILL_BATCH = 16;

    private final int fd;
    private final FrameRegion region;

    /** The kernel counts addresses from the region's start. */
    private final long baseAddress;

    private final XskRing receiveRing;
    private final XskRing fillRing;
    private final Errno errno = new Errno();

    /** Slots in the kernel's hands: in either ring, or between them. */
    private int lent;

    // A frame that another core has written costs three misses one after the other: the ring's
    // index, the descriptor that it announces, the data that this points to. So every look at the
    // index also reads where the next descriptor and its data will be: what is not there yet costs
    // nothing, and what is comes at the same time as the index, or before it.
    private long nextData;

    /** From a slot's start to its data, as last seen, in bytes. */
    private long dataDistance = FrameRegion.HEADROOM_BYTES;

    @SuppressWarnings("UnusedVariable") // without it the compiler would leave out the reads
    private long fetched;

    XskReceiver(XskSocket socket, FrameRegion region) {
        this.fd = socket.fd();
        this.region = region;
        this.baseAddress = region.baseAddress();
        this.nextData = baseAddress;
        this.receiveRing = socket.receiveRing();
        this.fillRing = socket.fillRing();
    }

    /** As {@link io.headgate.dataplane.device.PortDevice#receive}. */
    int receive(FreeList free, Frame[] batch, int limit) {
        refill(free);
        fetched += receiveRing.fetchNext() + FrameRegion.MEMORY.get(JAVA_BYTE, nextData);
        int count = Math.min(receiveRing.available(limit), limit);
        if (count == 0) {
            return 0;
        }
        for (int index = 0; index < count; index++) {
            long address = baseAddress + receiveRing.descriptorAddress(index);
            int lengthBytes = receiveRing.descriptorLengthBytes(index);
            Frame frame = region.frameAt(address);
            frame.dataOffset = address;
            frame.lengthBytes = lengthBytes;
            frame.storedBytes = lengthBytes;
            batch[index] = frame;
        }
        dataDistance = batch[count - 1].dataOffset - batch[count - 1].slotOffset;
        receiveRing.release(count);
        lent -= count;
        foresee();
        return count;
    }

    private void refill(FreeList free) {
        int wanted = fillRing.size() - lent;
        if (wanted >= REFILL_BATCH) {
            // The kernel publishes frames a moment before it gives back the fill ring's entries.
            wanted = Math.min(wanted, fillRing.free(wanted));
            int count = 0;
            while (count < wanted) {
                Frame frame = free.take();
                if (frame == null) {
                    break;
                }
                frame.place = SlotPlace.DEVICE_RECEIVE;
                fillRing.putAddress(count++, frame.slotOffset - baseAddress);
            }
            if (count > 0) {
                fillRing.publish(count);
                lent += count;
                foresee();
            }
        }
        if (fillRing.needsWakeup()) {
            // Zero-copy drivers only: the driver ran out of slots and stopped asking.
            Sockets.recv(errno, fd, MemorySegment.NULL, 0, Sockets.MSG_DONTWAIT);
        }
    }

    /** Slots come back in the order in which they went, all but always. */
    private void foresee() {
        if (lent > 0) {
            nextData = baseAddress + fillRing.publishedAddress(lent) + dataDistance;
        }
    }

    /** Whether a frame has arrived. */
    boolean hasFrame() {
        return receiveRing.available(1) > 0;
    }
}
