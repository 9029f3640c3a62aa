package io.headgate.dataplane.congestion.flows;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * RoCC's default flow table, the first of section 3.3.4 of Menikkumbura's dissertation: the flows
 * that have frames in the queues of a port, with the number of frames and the last frame of each.
 * The last frame stays in its queue at least as long as the flow's others.
 *
 * <p>A frame keeps its flow's number, so that no lookup is needed when it leaves. Frames of a flow
 * that found no room are not counted; the flow may find room with a later frame.
 *
 * <p>A flow whose last frame has left keeps its number while free numbers are left: most flows come
 * back, and to give and take back numbers costs more than all other work here. Once no number is
 * free, all such flows are forgotten together; then, until the end of the period, each flow is
 * forgotten when its last frame leaves. So the scan over all flows occurs at most once per period.
 */
public final class QueuedFlows implements FlowTable {
    /** From bits to words of 64. */
    private static final int WORD_SHIFT = 6;

    private final FlowIndex index;

    // By flow.
    private final int[] frames;
    private final @Nullable Frame[] last;

    // A bit for each flow that has frames, so that the flows to notify are found without a search.
    private final long[] present;

    private final long[] refused = new long[PRIORITIES];

    // Flows that have frames in their queue.
    private final int[] queued = new int[PRIORITIES];

    // Frames in their queue whose flow has no number.
    private final int[] unnumbered = new int[PRIORITIES];

    // Whether numbers are taken back at once.
    private boolean isShort;

    /**
     * @param most maximum number of flows at a time, at least 1
     */
    public QueuedFlows(int most) {
        this.index = new FlowIndex(most);
        this.frames = new int[most];
        this.last = new Frame[most];
        this.present = new long[((most - 1) >>> WORD_SHIFT) + 1];
    }

    @Override
    public void arrived(long nowNs, Frame frame) {
        int flow = index.find(frame);
        if (flow < 0) {
            flow = flow == FlowIndex.NONE ? begin(frame) : NONE;
        }
        frame.flow = flow;
        if (flow == NONE) {
            unnumbered[frame.priority]++;
        } else {
            if (frames[flow]++ == 0) {
                queued[frame.priority]++;
                present[flow >>> WORD_SHIFT] |= 1L << flow;
            }
            last[flow] = frame;
        }
    }

    private int begin(Frame frame) {
        int flow = index.add(frame);
        if (flow == NONE && !isShort) {
            forgetGone();
            flow = index.add(frame);
        }
        if (flow == NONE) {
            refused[frame.priority]++;
        }
        return flow;
    }

    private void forgetGone() {
        isShort = true;
        if (flows() < index.size()) {
            for (int flow = index.top() - 1; flow >= 0; flow--) {
                if (frames[flow] == 0 && index.has(flow)) {
                    index.remove(flow);
                }
            }
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // it is that very frame
    public void left(Frame frame) {
        int flow = frame.flow;
        if (flow == NONE) {
            unnumbered[frame.priority]--;
            return;
        }
        if (--frames[flow] == 0) {
            queued[frame.priority]--;
            present[flow >>> WORD_SHIFT] &= ~(1L << flow);
            if (isShort) {
                index.remove(flow);
            }
        } else if (last[flow] == frame) {
            // Taken out of the middle: the next one of this flow says again which is there.
            last[flow] = null;
        }
    }

    @Override
    public void period(long nowNs) {
        isShort = false;
    }

    @Override
    public int flows(int queue) {
        return queued[queue];
    }

    @Override
    public int flows() {
        int sum = 0;
        for (int flows : queued) {
            sum += flows;
        }
        return sum;
    }

    @Override
    public long refused(int queue) {
        return refused[queue];
    }

    @Override
    public int places() {
        return index.top();
    }

    @Override
    public int next(int place) {
        int word = place >>> WORD_SHIFT;
        if (word >= present.length) {
            return NONE;
        }
        long bits = present[word] & (-1L << place);
        while (bits == 0) {
            if (++word == present.length) {
                return NONE;
            }
            bits = present[word];
        }
        return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
    }

    @Override
    public int queue(int place) {
        return frame(place) == null ? NONE : index.queue(place);
    }

    @Override
    public @Nullable Frame frame(int place) {
        // What is left of a flow that has gone is not taken away: the next one comes soon.
        return frames[place] == 0 ? null : last[place];
    }

    @Override
    public @Nullable FrameQuotes quotes() {
        return null;
    }

    @Override
    public boolean mayWait(FiveTuple flow, int hash, int queue) {
        if (unnumbered[queue] > 0) {
            return true;
        }
        int number = index.find(flow, hash, queue);
        return number != FlowIndex.NONE && frames[number] > 0;
    }

    @Override
    public void clear() {
        Arrays.fill(frames, 0);
        Arrays.fill(last, null);
        Arrays.fill(present, 0);
        Arrays.fill(queued, 0);
        Arrays.fill(unnumbered, 0);
        isShort = false;
        index.clear();
    }
}
