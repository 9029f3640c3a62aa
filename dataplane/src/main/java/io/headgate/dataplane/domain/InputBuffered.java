package io.headgate.dataplane.domain;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.domain.InputBufferedConfig.Marking;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A switch with small buffers at its inputs (Santos, Turner and Janakiraman, "Evaluation of
 * Congestion Detection Mechanisms for InfiniBand Switches", GLOBECOM 2002). Packets of an input
 * wait in one buffer, from which one is read at a time. A free output takes the oldest of its
 * packets whose input is not being read. So a packet may overtake older ones of its input whose
 * outputs are busy, at most {@link InputBufferedConfig#bypass} of them.
 *
 * <p>The capacity of an input is what its port grants in credits: with blocks as large as a packet,
 * {@code credits.buffer} is the number of packets. A buffer is full when this number waits in it; a
 * packet that is being read does not count, because it can no longer be marked.
 *
 * <p>Marking is the paper's: two counters per output, and no search through buffers, except in the
 * naive scheme, which searches the buffer that has become full.
 */
final class InputBuffered extends InputDomain {
    private static final int NEVER_FULL = Integer.MAX_VALUE;

    private final InputBufferedConfig config;
    private final Input[] inputs;

    // By output: packets that are still to be marked as they start (cnt2), and in which call it was
    // last asked for what it starts.
    private final int[] toMark;
    private final long[] askedInCall;

    // The call in which a packet last waited for an older one of its input that did not start.
    private long heldInVainInCall;

    /**
     * An input's buffer, with its packets in the order of their arrival, and the line that reads
     * them.
     */
    private static final class Input extends Line {
        private final int capacity;
        private Frame[] waiting = new Frame[16];
        private boolean wasFull;

        // In which call a packet last waited for an older one, and in which none is to: in the one
        // before the older one's output was asked, and did not start it.
        private long heldInCall;
        private long freeInCall;

        Input(Pacer reader, int capacity) {
            super(reader);
            this.capacity = capacity;
        }

        void add(Frame frame) {
            if (frames == waiting.length) {
                // Up to the slots that the port has, soon after the start.
                waiting = Arrays.copyOf(waiting, 2 * frames);
            }
            waiting[frames] = frame;
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
            System.arraycopy(waiting, index + 1, waiting, index, frames - 1 - index);
        }
    }

    InputBuffered(InputBufferedConfig config, DomainSetup setup) {
        super(setup, 1, (pacer, port) -> new Input(pacer, capacity(port)));
        this.config = config;
        this.inputs = Arrays.copyOf(lines, lines.length, Input[].class);
        this.toMark = new int[lines.length];
        this.askedInCall = new long[lines.length];
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
    DomainQueues empty(int egress, PortConfig port, @Nullable Schedule schedule) {
        return new InputBufferedQueues(this, egress, port, schedule);
    }

    /** Finds the buffers that have become full, after all packets that may start have started. */
    @Override
    public void end(long endNowNs) {
        for (Input input : inputs) {
            if (input.heldInCall == calls && input.takenInCall != calls) {
                input.freeInCall = calls + 1;
                heldInVainInCall = calls;
            }
            boolean isFull = input.frames >= input.capacity;
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
                for (int i = 0; i < input.frames; i++) {
                    Mark.write(input.waiting[i], Mark.CONGESTION, config.field());
                }
            }
            case INPUT_TRIGGERED, INPUT_OUTPUT_TRIGGERED -> {
                for (int i = 0; i < input.frames; i++) {
                    int output = InputBufferedQueues.outputOf(input.waiting[i]);
                    toMark[output] = packetsFor(output);
                }
            }
        }
    }

    /**
     * Number of packets in the switch that wait for an output (cnt1), without the one being sent.
     */
    private int packetsFor(int output) {
        DomainQueues queues = egresses[output];
        return queues == null ? 0 : queues.frames();
    }

    @Override
    public long deadlineNs() {
        // What waited for an older packet may start now.
        return heldInVainInCall == calls ? nowNs : super.deadlineNs();
    }

    // ---- what the queues of an output say and ask

    @Override
    void arrived(Frame frame, int output) {
        inputs[frame.ingressPort].add(frame);
        super.arrived(frame, output);
        if (config.marking() == Marking.INPUT_OUTPUT_TRIGGERED) {
            int packets = packetsFor(output);
            if (packets >= config.threshold()) {
                toMark[output] = packets;
            }
        }
    }

    @Override
    void left(Frame frame) {
        inputs[frame.ingressPort].remove(frame);
        super.left(frame);
    }

    /** Notes that an output is asked for packets to start. */
    void asked(int output) {
        askedInCall[output] = calls;
    }

    /** Whether a packet's input lets it be read. */
    boolean isReadable(Frame frame) {
        Input input = inputs[frame.ingressPort];
        return input.pacer.mayStart(nowNs) && input.indexOf(frame) <= config.bypass();
    }

    /** Whether a packet may start now; if an older one has precedence, this is remembered. */
    boolean mayStart(Frame frame, int output) {
        if (!isReadable(frame)) {
            return false;
        }
        Input input = inputs[frame.ingressPort];
        int older = input.indexOf(frame);
        for (int i = 0; i < older && input.freeInCall != calls; i++) {
            int other = InputBufferedQueues.outputOf(input.waiting[i]);
            if (other != output
                    && askedInCall[other] != calls
                    && egresses[other] instanceof InputBufferedQueues queues
                    && queues.mayStart(nowNs, input.waiting[i])) {
                // The older one has the input first: its output is asked later in this call.
                input.heldInCall = calls;
                return false;
            }
        }
        return true;
    }

    /** Starts a packet at an output: marks it if a mark is due, and reads it from its input. */
    @Override
    void starts(Frame frame, int output) {
        super.starts(frame, output);
        if (toMark[output] > 0) {
            toMark[output]--;
            Mark.write(frame, Mark.CONGESTION, config.field());
        }
    }
}
