package io.headgate.testbed.traffic;

import java.util.Arrays;

/**
 * Acknowledgements of one flow that do not cross the network: each reaches the sender a fixed time
 * after the receiver has taken the frame, as if acknowledgements never had to queue. No
 * acknowledgement is lost or merged.
 *
 * <p>Both hosts are in one run whose nodes are all at the same time. Bounded by the flow's window.
 */
final class OutOfBand extends Timed implements Flow.Acknowledging {
    private static final long PS_PER_NS = 1000;
    private static final int FIRST_CAPACITY = 8;

    // Words of an entry.
    private static final int WORDS = 4;
    private static final int DUE = 0;
    private static final int SEQUENCE = 1;
    private static final int FLAGS = 2;
    private static final int TIME = 3;

    private final Flow flow;
    private final FlowScheduler sender;
    private final Runnable wake;
    private final TrafficHosts hosts;
    private final long latencyPs;

    // Those under way, the first to arrive at the head: a ring.
    private long[] words = new long[FIRST_CAPACITY * WORDS];
    private int head;
    private int tail;

    /**
     * @param wake makes the sending host carry out what is due
     */
    OutOfBand(Flow flow, FlowScheduler sender, Runnable wake, TrafficHosts hosts, long latencyPs) {
        // Before all frames that are due at the same time.
        super(Integer.MIN_VALUE / 2 + flow.number);
        this.flow = flow;
        this.sender = sender;
        this.wake = wake;
        this.hosts = hosts;
        this.latencyPs = latencyPs;
    }

    @Override
    public void acknowledge(long sequence, int flags, long timePs) {
        if (tail - head == words.length / WORDS) {
            grow();
        }
        int at = at(tail++);
        words[at + DUE] = hosts.nowPs() + latencyPs;
        words[at + SEQUENCE] = sequence;
        words[at + FLAGS] = flags;
        words[at + TIME] = timePs;
        if (heapIndex == NOT_WAITING) {
            await();
        }
    }

    private int at(int entry) {
        return (entry & (words.length / WORDS - 1)) * WORDS;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(words, 2 * words.length);
        int mask = larger.length / WORDS - 1;
        for (int entry = head; entry != tail; entry++) {
            System.arraycopy(words, at(entry), larger, (entry & mask) * WORDS, WORDS);
        }
        words = larger;
    }

    private void await() {
        duePs = words[at(head) + DUE];
        sender.wait(this);
        wake.run();
    }

    @Override
    void onDue() {
        int at = at(head++);
        long nowPs = duePs;
        long sequence = words[at + SEQUENCE];
        int flags = (int) words[at + FLAGS];
        long roundTripPs = nowPs - words[at + TIME];
        long untilPs = nowPs - nowPs % PS_PER_NS + PS_PER_NS - 1;
        WindowEndpoint.onAck(flow, sender, sequence, flags, roundTripPs, nowPs, untilPs);
        hosts.heard(flow, nowPs);
        if (head != tail) {
            await();
        }
    }
}
