package io.headgate.testbed.virtual;

import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The run's services for the engine of one node. Time is exact, so the engine need not allow for
 * lateness; links ring doorbells for their events, so the engine need not poll them.
 */
final class NodeHost implements EngineHost {
    private static final int COUNTER_ALIGNMENT_BYTES = 64;
    private static final SlotMemory SLOT_MEMORY = ReservedMemory.beyondWhatThereIs();

    private final WireFormat wire;
    private final @Nullable NamedRandom interleaving;

    // The duties of the part of the run that the node is in; null until the run starts.
    private @Nullable RunDuties duties;
    private int firstDuty;

    // By duty of the node: its worker; none but of a switch whose halves run one within another.
    private List<Integer> workers = List.of();
    private MemorySegment values = MemorySegment.NULL;

    /**
     * @param interleaving draws which half of a switch runs while another is in a call; null: none
     */
    NodeHost(WireFormat wire, @Nullable NamedRandom interleaving) {
        this.interleaving = interleaving;
        this.wire = wire;
    }

    /**
     * Called when the run starts: the node is in the part that calls these duties.
     *
     * @param first number of the node's first duty in the part
     */
    void join(RunDuties ofPart, int first) {
        duties = ofPart;
        firstDuty = first;
    }

    /** The duties of the part of the run that the node is in; null until the run starts. */
    @Nullable RunDuties duties() {
        return duties;
    }

    @Override
    public void bindCounters(CounterDirectory directory) {
        values = Arena.ofAuto().allocate(directory.valuesBytes(), COUNTER_ALIGNMENT_BYTES);
        directory.bindValuesOnly(values);
    }

    MemorySegment counterValues() {
        return values;
    }

    /** The number in its part of the node's first duty. */
    int firstDuty() {
        return firstDuty;
    }

    /**
     * The doorbell that makes a duty of the node, by its number in the node, be called in this
     * instant.
     */
    Doorbell doorbell(int duty) {
        return inputs -> {
            RunDuties ofPart = duties;
            if (ofPart == null) {
                return; // a run begins with a call of every duty
            }
            if (inputs == Doorbell.RETURNS) {
                ofPart.returned(firstDuty + duty);
            } else {
                ofPart.ready().set(firstDuty + duty);
            }
        };
    }

    @Override
    public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
        return doorbell(duty);
    }

    @Override
    public long housekeepingIntervalNs() {
        return 0;
    }

    @Override
    public PresentTime presentTime() {
        if (interleaving == null) {
            return PresentTime.OF_THE_CALL;
        }
        NamedRandom random = interleaving;
        return calledNs -> {
            RunDuties ofPart = duties;
            if (ofPart != null && !workers.isEmpty()) {
                ofPart.interleave(firstDuty, workers, random);
            }
            return calledNs;
        };
    }

    WorkerPlan plan(SwitchConfig config) {
        if (interleaving == null) {
            return WorkerPlan.single(config.ports().size());
        }
        WorkerPlan plan =
                WorkerPlan.of(
                        config.withWorkers(
                                config.workers().withLayout(WorkerConfig.Layout.PER_HALF)),
                        1);
        workers = plan.workerOfDuty();
        return plan;
    }

    @Override
    public long maxCatchUpNs() {
        return 0;
    }

    @Override
    public boolean devicesRing() {
        return true;
    }

    @Override
    public boolean asksForGauges() {
        return true;
    }

    @Override
    public SlotMemory slotMemory() {
        return SLOT_MEMORY;
    }

    @Override
    public boolean makesFramesLate() {
        return true;
    }

    @Override
    public WireFormat wireFormat(int port) {
        return wire;
    }
}
