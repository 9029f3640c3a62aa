package io.headgate.dataplane.domain;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.domain.InputBufferedConfig.Marking;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A switch with small buffers at its inputs (Santos, Turner and Janakiraman, "Evaluation of
 * Congestion Detection Mechanisms for InfiniBand Switches", GLOBECOM 2002). Packets of an input
 * wait in one buffer, from which one is read at a time. An output that is free takes the oldest
 * packet for it in the switch whose input is not being read; so a packet may overtake older ones of
 * its input whose outputs are busy, but not more of them than {@link InputBufferedConfig#bypass}.
 *
 * <p>How many packets an input holds is what its port grants in credits: with blocks as large as a
 * packet, {@code credits.buffer} is that many packets. A buffer is full when that number waits in
 * it; a packet that is being read does not count, as it can no longer be marked.
 *
 * <p>Marking is the paper's: two counters per output, and no search through buffers, except in the
 * naive scheme, which searches the buffer that has become full.
 */
final class InputBuffered implements Domain {
    private static final int NEVER_FULL = Integer.MAX_VALUE;

    private final InputBufferedConfig config;
    private final Input[] inputs;
    private final @Nullable InputBufferedQueues[] outputs;
    private long nowNs;
    private long calls;
    private long started;
    private long startedInCall;
    private long refusedInCall;

    // By output: packets that are still to be marked as they start (cnt2), and in which call it was
    // last asked for what it starts.
    private final int[] toMark;
    private final long[] askedInCall;

    // The call in which a packet last waited for an older one of its input that did not start.
    private long heldInVainInCall;

    /** An input's buffer, its packets in the order in which they came, and what reads them. */
    private static final class Input {
        private final Pacer reader;
        private final int capacity;
        private Frame[] waiting = new Frame[16];
        private int count;
        private boolean wasFull;
        private long takenInCall;

        // In which call a packet last waited for an older one, and in which none is to: in the one
        // before the older one's output was asked, and did not start it.
        private long heldInCall;
        private long freeInCall;

        // When the reader was last seen free with nothing to read: lateness is made up from there.
        private long idleNs;

        Input(Pacer reader, int capacity) {
            this.reader = reader;
            this.capacity = capacity;
        }

        void add(Frame frame) {
            if (count == waiting.length) {
                // Up to the slots that the port has, soon after the start.
                waiting = Arrays.copyOf(waiting, 2 * count);
            }
            waiting[count++] = frame;
        }

        int indexOf(Frame frame) {
            int index = 0;
            while (waiting[index] != frame) {
                index++;
            }
            return index;
        }

        void remove(Frame frame) {
            int index = indexOf(frame);
            count--;
            System.arraycopy(waiting, index + 1, waiting, index, count - index);
        }
    }

    InputBuffered(InputBufferedConfig config, DomainSetup setup) {
        int ports = setup.ports().size();
        this.config = config;
        this.inputs = new Input[ports];
        this.outputs = new InputBufferedQueues[ports];
        this.toMark = new int[ports];
        this.askedInCall = new long[ports];
        for (int port = 0; port < ports; port++) {
            PortConfig ofPort = setup.ports().get(port);
            Pacer reader =
                    new Pacer(ofPort.rateBps(), setup.maxCatchUpNs(), setup.wires().get(port));
            inputs[port] = new Input(reader, capacity(ofPort));
        }
    }

    private static int capacity(PortConfig port) {
        FlowControlConfig.Credits credits = port.flowControl().credits();
        if (credits == null) {
            return NEVER_FULL;
        }
        long blocks = credits.bufferBytes() / credits.blockBytes();
        return (int) Math.min(blocks, credits.bufferSlots());
    }

    @Override
    public Queues queues(int egress, PortConfig port, @Nullable Schedule schedule) {
        InputBufferedQueues queues =
                new InputBufferedQueues(
                        this,
                        egress,
                        port.queueLimitBytes(),
                        port.traffic().losslessMask(),
                        schedule);
        if (outputs[egress] == null) {
            outputs[egress] = queues;
        }
        return queues;
    }

    /** These queues are an output's from now on. */
    void install(int output, InputBufferedQueues queues) {
        outputs[output] = queues;
    }

    @Override
    public void change(int port, PortConfig next) {
        inputs[port].reader.rate(next.rateBps());
    }

    @Override
    public void begin(long newNowNs) {
        for (Input input : inputs) {
            if (input.takenInCall != calls && input.reader.mayStart(nowNs)) {
                // Free all through the last call: if packets waited, it was not for their reader.
                input.idleNs = nowNs;
            }
        }
        nowNs = newNowNs;
        calls++;
    }

    /** Which buffers have become full shows when all has started that may. */
    @Override
    public void end(long endNowNs) {
        for (Input input : inputs) {
            if (input.heldInCall == calls && input.takenInCall != calls) {
                input.freeInCall = calls + 1;
                heldInVainInCall = calls;
            }
            boolean isFull = input.count >= input.capacity;
            if (isFull && !input.wasFull) {
                becameFull(input);
            }
            input.wasFull = isFull;
        }
    }

    private void becameFull(Input input) {
        switch (config.marking()) {
            case NONE -> {
                // Nothing is marked.
            }
            case NAIVE -> {
                for (int i = 0; i < input.count; i++) {
                    Mark.write(input.waiting[i], Mark.CONGESTION, config.field());
                }
            }
            case INPUT_TRIGGERED, INPUT_OUTPUT_TRIGGERED -> {
                for (int i = 0; i < input.count; i++) {
                    int output = InputBufferedQueues.outputOf(input.waiting[i]);
                    toMark[output] = packetsFor(output);
                }
            }
        }
    }

    /** Packets in the switch that wait for an output (cnt1); not the one that is being sent. */
    private int packetsFor(int output) {
        InputBufferedQueues queues = outputs[output];
        return queues == null ? 0 : queues.frames();
    }

    @Override
    public long started() {
        return started;
    }

    @Override
    public long deadlineNs() {
        if (heldInVainInCall == calls || (startedInCall == calls && refusedInCall == calls)) {
            // What waited for an older packet, or behind one that was refused, may start now.
            return nowNs;
        }
        long next = Long.MAX_VALUE;
        for (Input input : inputs) {
            if (input.count == 0) {
                continue;
            }
            if (!input.reader.mayStart(nowNs)) {
                next = Math.min(next, input.reader.nextStartNs());
            } else if (input.takenInCall == calls) {
                // Its packet was dropped, or lateness is made up: the next one may start.
                next = nowNs;
            }
        }
        return next;
    }

    // ---- what the queues of an output say and ask

    /** A packet has come to its input's buffer, for an output. */
    void arrived(Frame frame, int output) {
        Input input = inputs[frame.ingressPort];
        if (input.count == 0) {
            input.idleNs = nowNs;
        }
        input.add(frame);
        if (config.marking() == Marking.INPUT_OUTPUT_TRIGGERED) {
            int packets = packetsFor(output);
            if (packets >= config.threshold()) {
                toMark[output] = packets;
            }
        }
    }

    /** A packet waits no more. */
    void left(Frame frame) {
        Input input = inputs[frame.ingressPort];
        input.remove(frame);
        input.takenInCall = calls;
    }

    /** An output is asked what it starts. */
    void asked(int output) {
        askedInCall[output] = calls;
    }

    /** Whether a packet may be read, as far as its input goes. */
    boolean isReadable(Frame frame) {
        Input input = inputs[frame.ingressPort];
        return input.reader.mayStart(nowNs) && input.indexOf(frame) <= config.bypass();
    }

    /** Whether a packet may start now; if not, for an older one's sake, that is remembered. */
    boolean mayStart(Frame frame, int output) {
        if (!isReadable(frame)) {
            return false;
        }
        Input input = inputs[frame.ingressPort];
        int older = input.indexOf(frame);
        for (int i = 0; i < older && input.freeInCall != calls; i++) {
            int other = InputBufferedQueues.outputOf(input.waiting[i]);
            InputBufferedQueues queues = outputs[other];
            if (other != output
                    && askedInCall[other] != calls
                    && queues != null
                    && queues.mayStart(nowNs, input.waiting[i])) {
                // The older one has the input first: its output is asked later in this call.
                input.heldInCall = calls;
                return false;
            }
        }
        return true;
    }

    /** A packet starts at an output: it is marked if that is due, and its input is read. */
    void starts(Frame frame, int output) {
        Input input = inputs[frame.ingressPort];
        input.reader.resume(nowNs, input.idleNs);
        input.reader.start(frame.lengthBytes);
        started++;
        startedInCall = calls;
        if (toMark[output] > 0) {
            toMark[output]--;
            Mark.write(frame, Mark.CONGESTION, config.field());
        }
    }

    /** A packet whose turn it is may not start: there are no credits for it, say. */
    void refused() {
        refusedInCall = calls;
    }
}
