package io.headgate.dataplane.queue;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;
import java.util.Arrays;

/**
 * Strict priority and deficit weighted round robin, combined as enhanced transmission selection
 * combines them (IEEE 802.1Q, 8.6.8.3): strict queues first, the highest before all; the remaining
 * rate is shared among the others in proportion to their weights, counted in bytes of wire.
 *
 * <p>Deficit round robin is that of Shreedhar and Varghese (SIGCOMM 1995): a queue's turn adds its
 * quantum to its deficit, and it sends while its first frame is within that. The smallest quantum
 * covers the longest frame, so a choice looks at two queues at most. A queue that runs empty loses
 * its deficit; a stopped queue keeps its remaining deficit.
 */
public final class TransmissionSelection implements Schedule {
    private final WireFormat wire;
    private final int strict;
    private final int[] quantumBytes;
    private final int[] deficitBytes;
    private int current = -1;

    /**
     * Creates a schedule for queues with weights.
     *
     * @param weights for each queue 1 to 100, or 0: strict
     * @param maxFrameBytes longest frame
     * @param wire bytes that a frame occupies
     */
    public TransmissionSelection(int[] weights, int maxFrameBytes, WireFormat wire) {
        int least = Arrays.stream(weights).filter(weight -> weight > 0).min().orElse(1);
        int maxWireBytes = wire.wireBytes(maxFrameBytes);
        int mask = 0;
        this.wire = wire;
        this.quantumBytes = new int[weights.length];
        this.deficitBytes = new int[weights.length];
        for (int queue = 0; queue < weights.length; queue++) {
            if (weights[queue] < 0 || weights[queue] > 100) {
                throw new IllegalArgumentException("weights " + Arrays.toString(weights));
            }
            if (weights[queue] == 0) {
                mask |= 1 << queue;
            }
            quantumBytes[queue] = Math.ceilDiv(weights[queue] * maxWireBytes, least);
        }
        this.strict = mask;
    }

    @Override
    public int select(QueueFields queues, int candidates) {
        int first = candidates & strict;
        if (first != 0) {
            return 31 - Integer.numberOfLeadingZeros(first);
        }
        int queue = current;
        if (queue < 0 || (candidates >>> queue & 1) == 0) {
            queue = turn(candidates);
        }
        // One quantum covers any frame, so the queue whose turn it is may send.
        return cost(queues.headBytes(queue)) > deficitBytes[queue] ? turn(candidates) : queue;
    }

    @Override
    public int cost(int frameBytes) {
        return wire.wireBytes(frameBytes);
    }

    /** A single candidate has turn after turn. */
    @Override
    public long room(int queue, int candidates) {
        boolean isBound = (candidates & strict) == 0 && (candidates & candidates - 1) != 0;
        return isBound ? deficitBytes[queue] : Long.MAX_VALUE;
    }

    /** Gives the next candidate behind the current one its turn and its quantum. */
    private int turn(int candidates) {
        int behind = candidates & (-2 << current);
        int next = Integer.numberOfTrailingZeros(behind != 0 ? behind : candidates);
        current = next;
        // A turn leaves less than a frame. More is left only if a turn was cut short because
        // credits were missing, and that gives no claim on later turns.
        deficitBytes[next] =
                Math.min(deficitBytes[next] + quantumBytes[next], 2 * quantumBytes[next]);
        return next;
    }

    @Override
    public void started(int queue, long cost, boolean empty) {
        if ((strict >>> queue & 1) != 0) {
            return;
        }
        long left = empty ? 0 : deficitBytes[queue] - cost;
        // Of several turns: each began when the one before had less left than the next frame.
        deficitBytes[queue] = (int) (left < 0 ? Math.floorMod(left, quantumBytes[queue]) : left);
    }
}
