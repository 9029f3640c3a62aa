package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * An input-buffered crossbar. Frames wait at their input, per input, egress and priority. A frame
 * that starts at its egress occupies its input's line into the crossbar, at the input's rate times
 * the speedup; until it ends, no other frame of that input starts.
 *
 * <p>A free egress serves the highest priority that may send (or follows its weights), and within
 * it the inputs in turn. If several egresses want the same input, the one whose last start is
 * longest ago comes first, because the engine calls them in that order. So every egress and every
 * input gets its turn.
 *
 * <p>Frames are admitted when they come in, as without a crossbar: accounts, pauses and credits are
 * already per input.
 */
final class Crossbar extends InputDomain {
    private final boolean fifo;

    Crossbar(CrossbarConfig config, DomainSetup setup) {
        super(setup, config.speedup(), (pacer, _) -> new Line(pacer));
        this.fifo = config.inputQueues() == CrossbarConfig.InputQueues.FIFO;
    }

    @Override
    DomainQueues empty(int egress, PortConfig port, @Nullable Schedule schedule) {
        return new CrossbarQueues(this, egress, port, schedule);
    }

    /** Whether an input may send the first frame that it has for an egress and a priority. */
    boolean maySend(int input, Frame first) {
        return lines[input].pacer.mayStart(nowNs) && (!fifo || isFirst(input, first));
    }

    /** Whether no frame of the same input and priority came before, for any egress. */
    private boolean isFirst(int input, Frame frame) {
        for (DomainQueues egress : egresses) {
            Frame other = egress == null ? null : egress.head(input, frame.priority);
            // Copies of a flooded frame have one number, and are first together.
            if (other != null && other.packetId < frame.packetId) {
                return false;
            }
        }
        return true;
    }
}
