package example;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/** Takes the records off, and notes them. */
final class StampSink implements Sink {
    @Override
    public boolean takes(Frame frame) {
        return Stamp.isIn(frame);
    }

    @Override
    public boolean take(Frame frame, HopRecords hops) {
        if (Stamp.portBefore(frame) != Bth.UDP_PORT) {
            return false;
        }
        for (int record = Stamp.records(frame) - 1; record >= 0; record--) {
            if (Stamp.timeNs(frame, record) != 0) {
                hops.add(Stamp.queueBytes(frame, record), 0, Stamp.timeNs(frame, record), 0);
            }
        }
        StampRoom.takeOff(frame);
        return true;
    }
}
