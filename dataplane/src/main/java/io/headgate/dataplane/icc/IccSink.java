package io.headgate.dataplane.icc;

import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;

/** Removes the record at the sender's card, for the sender's reaction point. */
final class IccSink implements Sink {
    private final HopRecord read = new HopRecord();

    @Override
    public boolean takes(Frame frame) {
        return IccRecord.isIn(frame);
    }

    @Override
    public boolean take(Frame frame, HopRecords hops) {
        IccRecord.read(frame, read);
        if (!IccRecord.makesSense(frame, read)) {
            return false;
        }
        HopRecord hop = hops.add();
        if (hop != null) {
            hop.copy(read);
        }
        IccRecord.leave(frame);
        return true;
    }
}
