package io.headgate.dataplane.congestion.flows;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Common base of the flow tables that remember flows after their frames have left: stores the
 * beginning of one frame of each flow, which notices quote, and decides once per period which flows
 * are notified.
 */
abstract sealed class RememberedFlows implements FlowTable
        permits AfdFlows, AgedFlows, BubbleCache, ElephantTrap {
    private final FlowIndex index;
    private final FrameQuotes quotes;
    private final boolean[] known;
    private final boolean[] told;
    private final int[] toldOf = new int[PRIORITIES];
    private final long[] refused = new long[PRIORITIES];
    private int allTold;

    RememberedFlows(int most) {
        this.index = new FlowIndex(most);
        this.quotes = new FrameQuotes(most);
        this.known = new boolean[most];
        this.told = new boolean[most];
    }

    abstract boolean isToBeTold(int flow);

    abstract void cleared();

    /** The number of a frame's flow; negative if it has none. */
    final int find(Frame frame) {
        return index.find(frame);
    }

    /** Gives a number to the flow of the frame that was just looked for; there must be room. */
    final int begin(Frame frame) {
        int flow = index.add(frame);
        quotes.put(flow, frame);
        known[flow] = true;
        return flow;
    }

    /** Forgets a flow; its number is given next. */
    final void end(int flow) {
        untell(flow);
        known[flow] = false;
        index.remove(flow);
    }

    private void untell(int flow) {
        if (told[flow]) {
            told[flow] = false;
            toldOf[index.queue(flow)]--;
            allTold--;
        }
    }

    final boolean isFull() {
        return index.size() == known.length;
    }

    final int known() {
        return index.size();
    }

    final void refuse(Frame frame) {
        refused[frame.priority]++;
    }

    @Override
    public final void left(Frame frame) {
        // It is remembered nevertheless.
    }

    @Override
    public void period(long nowNs) {
        for (int flow = 0; flow < index.top(); flow++) {
            if (known[flow] && isToBeTold(flow)) {
                if (!told[flow]) {
                    told[flow] = true;
                    toldOf[index.queue(flow)]++;
                    allTold++;
                }
            } else {
                untell(flow);
            }
        }
    }

    @Override
    public final int flows(int queue) {
        return toldOf[queue];
    }

    @Override
    public final int flows() {
        return allTold;
    }

    @Override
    public final long refused(int queue) {
        return refused[queue];
    }

    @Override
    public final int places() {
        return index.top();
    }

    @Override
    public final int queue(int place) {
        return told[place] ? index.queue(place) : NONE;
    }

    @Override
    public final @Nullable Frame frame(int place) {
        return null;
    }

    @Override
    public final FrameQuotes quotes() {
        return quotes;
    }

    @Override
    public final void clear() {
        Arrays.fill(known, false);
        Arrays.fill(told, false);
        Arrays.fill(toldOf, 0);
        allTold = 0;
        index.clear();
        cleared();
    }
}
