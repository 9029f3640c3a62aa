package example;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoard;

/** Makes room as frames come, and writes as they start what a port's queues hold. */
final class StampPoint implements CongestionPoint {
    private final PortBoard board;
    private final int port;
    private final int hops;
    private final boolean own;
    private final long[] written = new long[Byte.SIZE];
    private long waitingBytes;

    StampPoint(CongestionSetup setup, StampsConfig configuration) {
        this.board = setup.board();
        this.port = setup.port();
        this.hops = configuration.hops();
        this.own = configuration.own();
    }

    private void show(long moreBytes) {
        waitingBytes += moreBytes;
        board.show(waitingBytes);
    }

    @Override
    public int queues() {
        return 0xFF; // all
    }

    @Override
    public boolean growsFrames() {
        return true;
    }

    @Override
    public void prepare(long nowNs, Frame frame) {
        StampRoom.make(frame, hops);
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            show(frames[i].lengthBytes);
        }
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            show(-frame.lengthBytes);
            if (Stamp.hasRoom(frame)) {
                long queue = own ? waitingBytes : board.shown(frame.ingressPort);
                Stamp.write(frame, queue, port, Math.max(1, nowNs));
                written[frame.priority]++;
            }
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        show(-frame.lengthBytes);
    }

    @Override
    public long counted(int counter, int queue) {
        return written[queue];
    }

    @Override
    public void reset(long nowNs) {
        show(-waitingBytes);
    }
}
