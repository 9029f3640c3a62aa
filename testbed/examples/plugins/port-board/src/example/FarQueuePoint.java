package example;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoard;

/** Shows what waits at its port, and when that changed; marks by what others show. */
final class FarQueuePoint implements CongestionPoint {
    static final int BYTES = 0;
    static final int AT_NS = 1;
    static final int WORDS = 2;
    private static final long FRESH_NS = 1_000_000_000;

    private final PortBoard board;
    private final long limitBytes;
    private final long[] marked = new long[Byte.SIZE];
    private long waitingBytes;

    FarQueuePoint(PortBoard board, long limitBytes) {
        this.board = board;
        this.limitBytes = limitBytes;
    }

    private void show(long nowNs, long moreBytes) {
        waitingBytes += moreBytes;
        board.put(BYTES, waitingBytes);
        board.put(AT_NS, nowNs);
        board.show();
    }

    @Override
    public int queues() {
        return 0xFF; // all
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            show(nowNs, frames[i].lengthBytes);
        }
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            show(nowNs, -frames[i].lengthBytes);
            if (isLong(nowNs, frames[i].ingressPort)
                    && Mark.write(frames[i], Mark.CONGESTION, Mark.Field.ECN) == Mark.WRITTEN) {
                marked[frames[i].priority]++;
            }
        }
    }

    private boolean isLong(long nowNs, int port) {
        return board.look(port)
                && board.get(BYTES) > limitBytes
                && nowNs - board.get(AT_NS) < FRESH_NS;
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        show(nowNs, -frame.lengthBytes);
    }

    @Override
    public long counted(int counter, int queue) {
        return marked[queue];
    }

    @Override
    public void reset(long nowNs) {
        show(nowNs, -waitingBytes);
    }
}
