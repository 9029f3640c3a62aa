package io.headgate.control.capture;

import io.headgate.control.capture.PcapngWriter.Direction;
import io.headgate.dataplane.capture.CaptureRing;
import io.headgate.dataplane.memory.DropReason;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges the capture rings of a switch's halves into one pcapng file, in the order of time, on a
 * thread of its own.
 *
 * <p>A frame is written when no ring can bring an earlier one: every ring has shown a later one, or
 * {@link #LOOKBACK_NS} have passed, within which halves normally show their frames. A frame that is
 * shown even later (its half's thread lost its core in between) is written with the time of the
 * frame before it, and with a comment that says by how much, so that times never go back.
 *
 * <p>The time of day is taken from the machine when the capture begins; if the machine's clock is
 * set later, the capture's time is not changed.
 *
 * <p>If the file can no longer be written, the capture ends and {@link #problem} says why; the
 * rings are still emptied, so traffic is not affected in either case.
 */
public final class CaptureWriter implements AutoCloseable {
    /** Name of the interface that shows dropped frames. */
    public static final String DROPS = "drops";

    /** How long a frame waits for an earlier one from another ring. */
    public static final long LOOKBACK_NS = 20_000_000;

    private static final int RECORDS_PER_PASS = 4096;
    private static final long IDLE_NS = 2_000_000;
    private static final int MAX_FRAME_BYTES = 16_384;
    private static final DropReason[] REASONS = DropReason.values();

    /**
     * A port as the capture shows it.
     *
     * @param mac in the low 48 bits; 0 for none
     * @param rateBps in bits per second; 0 for none
     */
    public record Port(String name, @Nullable String description, long mac, long rateBps) {}

    /**
     * The numbers of frames of a capture: {@code seen}, which the halves showed and the rings took;
     * {@code written}, which are in the file; {@code filtered}, which the filter kept out; {@code
     * leftOut}, which found their ring full; {@code late}, which came behind a frame of a later
     * time.
     */
    public record Summary(long seen, long written, long filtered, long leftOut, long late) {}

    private final PcapngWriter file;
    private final List<Port> ports;
    private final List<CaptureRing> rings;
    private final boolean[] waiting;
    private final CaptureFilter filter;
    private final long limitFrames;
    private final LongSupplier clock;
    private final long epochNs;
    private final long startNs;
    private final byte[] bytes = new byte[MAX_FRAME_BYTES];
    private final long[] interfaceSeen;
    private final long[] interfaceLeftOut;
    private final long[] leftOutBefore;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable String problem;
    private volatile boolean atLimit;

    // The writing thread's own; read by others once it has ended.
    private long lastTimeNs = Long.MIN_VALUE;
    private long seen;
    private long written;
    private long filtered;
    private long late;

    /**
     * @param rings one for each half; this becomes their consumer
     * @param clock the engine's clock, in ns
     * @param epochNs what to add to a time of that clock to get ns since 1970-01-01 UTC
     * @param snapBytes bytes of a frame that the rings keep
     * @param limitFrames writes no more frames than this; 0: no limit
     */
    public CaptureWriter(
            PcapngWriter file,
            List<Port> ports,
            List<CaptureRing> rings,
            CaptureFilter filter,
            LongSupplier clock,
            long epochNs,
            int snapBytes,
            long limitFrames) {
        this.file = file;
        this.ports = List.copyOf(ports);
        this.rings = List.copyOf(rings);
        this.waiting = new boolean[rings.size()];
        this.leftOutBefore = new long[rings.size()];
        this.filter = filter;
        this.limitFrames = limitFrames;
        this.clock = clock;
        this.epochNs = epochNs;
        this.startNs = clock.getAsLong();
        this.interfaceSeen = new long[ports.size() + 1];
        this.interfaceLeftOut = new long[ports.size() + 1];
        for (Port port : this.ports) {
            file.addInterface(port.name, port.description, port.mac, port.rateBps, snapBytes);
        }
        file.addInterface(DROPS, "frames that the switch dropped", 0, 0, snapBytes);
        file.flush();
        this.problem = file.problem();
        for (int i = 0; i < this.rings.size(); i++) {
            leftOutBefore[i] = this.rings.get(i).leftOut();
        }
        this.thread = Thread.ofPlatform().daemon().name("headgate-capture").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Why the capture ended early, in one sentence; null if it did not. */
    public @Nullable String problem() {
        return problem;
    }

    /** Whether nothing more will be written: there is a problem, or the limit is reached. */
    public boolean isOver() {
        return atLimit || problem != null;
    }

    /**
     * Ends the capture: writes the frames that the rings hold, then the statistics of each
     * interface. The halves should no longer show frames; frames that they show meanwhile are not
     * written.
     */
    @Override
    public void close() {
        stopping = true;
        if (thread.isAlive()) {
            LockSupport.unpark(thread);
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } else {
            finish();
        }
    }

    /** The capture's numbers of frames; exact once it is closed. */
    public Summary summary() {
        // Not what was handed over: a disk that was full did not take all of that.
        return new Summary(seen, file.frames(), filtered, leftOut(), late);
    }

    private long leftOut() {
        long sum = 0;
        for (int i = 0; i < rings.size(); i++) {
            sum += rings.get(i).leftOut() - leftOutBefore[i];
        }
        return sum;
    }

    private void run() {
        while (!stopping) {
            if (pass(clock.getAsLong() - LOOKBACK_NS, Long.MAX_VALUE, RECORDS_PER_PASS) == 0) {
                file.flush();
                LockSupport.parkNanos(this, IDLE_NS);
            }
            problem = file.problem();
        }
        finish();
    }

    private void finish() {
        // Bounded: a half that goes on showing frames cannot keep the capture from ending.
        long nowNs = clock.getAsLong();
        pass(nowNs, nowNs, Integer.MAX_VALUE);
        long endNs = epochNs + nowNs;
        long unreported = leftOut();
        for (long count : interfaceLeftOut) {
            unreported -= count;
        }
        for (int i = 0; i <= ports.size(); i++) {
            long leftOut = interfaceLeftOut[i];
            if (i == ports.size()) {
                // Frames left out after a ring's last record: their interface is unknown.
                leftOut += unreported;
            }
            file.statistics(i, epochNs + startNs, endNs, interfaceSeen[i] + leftOut, leftOut);
        }
        file.close();
        problem = file.problem();
    }

    /**
     * Writes records in the order of time: all records whose turn is certain, and those up to
     * {@code certainNs} even if some ring is empty; none later than {@code untilNs}.
     *
     * @return how many were taken from the rings
     */
    int pass(long certainNs, long untilNs, int limit) {
        int taken = 0;
        while (taken < limit) {
            // Which ring has the earliest record, and whether an empty ring may bring one earlier.
            int first = -1;
            long firstNs = Long.MAX_VALUE;
            boolean allThere = true;
            for (int i = 0; i < rings.size(); i++) {
                if (!waiting[i]) {
                    waiting[i] = rings.get(i).next();
                }
                if (!waiting[i]) {
                    allThere = false;
                } else if (first < 0 || rings.get(i).timeNs() < firstNs) {
                    first = i;
                    firstNs = rings.get(i).timeNs();
                }
            }
            if (first < 0 || firstNs > untilNs || (!allThere && firstNs > certainNs)) {
                break;
            }
            write(rings.get(first));
            rings.get(first).release();
            waiting[first] = false;
            taken++;
        }
        return taken;
    }

    private void write(CaptureRing ring) {
        boolean dropped = ring.point() == CaptureRing.DROPPED;
        int interfaceId = dropped ? ports.size() : ring.port();
        seen++;
        interfaceSeen[interfaceId]++;
        interfaceLeftOut[interfaceId] += ring.leftOutBefore();
        if (isOver()) {
            return;
        }
        int captured = ring.capturedBytes();
        ring.copyTo(bytes);
        if (!filter.accepts(bytes, captured, ring.lengthBytes())) {
            filtered++;
            return;
        }
        String comment = dropped ? dropComment(ring) : null;
        long timeNs = ring.timeNs();
        if (timeNs < lastTimeNs) {
            late++;
            String shown =
                    ("captured %d ns earlier: shown with the time of the previous frame, because"
                                    + " times in a file must not decrease")
                            .formatted(lastTimeNs - timeNs);
            comment = comment == null ? shown : comment + "; " + shown;
        } else {
            lastTimeNs = timeNs;
        }
        boolean ok =
                file.frame(
                        interfaceId,
                        epochNs + lastTimeNs,
                        bytes,
                        captured,
                        ring.lengthBytes(),
                        direction(ring.point()),
                        ring.packetId(),
                        ring.queue(),
                        ring.leftOutBefore(),
                        comment);
        if (ok) {
            written++;
            atLimit = written == limitFrames;
        } else {
            problem = file.problem();
        }
    }

    private String dropComment(CaptureRing ring) {
        return "drop reason="
                + REASONS[ring.dropReason()]
                + " port="
                + ports.get(ring.port()).name
                + " prio="
                + ring.priority();
    }

    private static Direction direction(int point) {
        return switch (point) {
            case CaptureRing.RECEIVED -> Direction.IN;
            case CaptureRing.TRANSMITTED -> Direction.OUT;
            default -> Direction.UNKNOWN;
        };
    }
}
