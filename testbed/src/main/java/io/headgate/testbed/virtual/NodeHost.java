package io.headgate.testbed.virtual;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.queue.WireFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What a run gives the engine of one node. Time is exact, so no lateness is made up; links ring
 * when something happens to them, so nothing is asked for.
 */
final class NodeHost implements EngineHost {
    private static final int COUNTER_ALIGNMENT_BYTES = 64;
    private static final SlotMemory SLOT_MEMORY = ReservedMemory.beyondWhatThereIs();

    private final RunDuties duties;
    private final WireFormat wire;
    private final int firstDuty;
    private MemorySegment values = MemorySegment.NULL;

    NodeHost(RunDuties duties, WireFormat wire, int firstDuty) {
        this.duties = duties;
        this.wire = wire;
        this.firstDuty = firstDuty;
    }

    @Override
    public void bindCounters(CounterDirectory directory) {
        values = Arena.ofAuto().allocate(directory.valuesBytes(), COUNTER_ALIGNMENT_BYTES);
        directory.bindValuesOnly(values);
    }

    /** All counters of the node. */
    MemorySegment counterValues() {
        return values;
    }

    /** The number in the run of the node's first duty. */
    int firstDuty() {
        return firstDuty;
    }

    /** Rings a duty of the node, by its number in the node. */
    Doorbell doorbell(int duty) {
        return new DutyBell(duties, firstDuty + duty);
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
        return PresentTime.OF_THE_CALL;
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
    public WireFormat wireFormat(int port) {
        return wire;
    }
}
