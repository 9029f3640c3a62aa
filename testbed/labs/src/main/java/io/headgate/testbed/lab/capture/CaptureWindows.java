package io.headgate.testbed.lab.capture;

import io.headgate.control.capture.CaptureException;
import io.headgate.control.capture.CaptureFilter;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.capture.PcapngWriter;
import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.capture.CaptureRing;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capture file of one switch that takes frames only while a window is open, so that it stays
 * small with any traffic. All ports, both directions and drops, whole frames.
 */
public final class CaptureWindows implements AutoCloseable {
    private static final int RING_BYTES = 4 << 20;

    private final RealTimeSwitch realTime;

    // Freed when the lab's switch is garbage: a lab has one capture.
    private final Arena arena = Arena.ofAuto();
    private final List<CaptureRing> rings = new ArrayList<>();
    private final CaptureWriter writer;
    private boolean open;
    private boolean closed;

    /**
     * @param epochNs what to add to the engine's clock to get ns since 1970-01-01 UTC
     */
    public CaptureWindows(RunningSwitch running, Path file, long epochNs) throws CaptureException {
        this.realTime = running.realTime();
        List<CaptureWriter.Port> ports = new ArrayList<>();
        for (RunningSwitch.Port port : running.ports()) {
            var device = port.device();
            ports.add(
                    new CaptureWriter.Port(
                            port.name(),
                            device == null ? null : device.kind() + " " + device.name(),
                            device == null ? 0 : device.mac(),
                            running.config().ports().get(port.number()).rateBps()));
        }
        ports.add(new CaptureWriter.Port("local", "the switch itself", 0, 0));
        for (int half = 0; half < 2 * realTime.engine().ports(); half++) {
            rings.add(
                    new CaptureRing(
                            arena,
                            realTime.engine().region(),
                            RING_BYTES,
                            CaptureRequest.WHOLE_FRAMES));
        }
        this.writer =
                new CaptureWriter(
                        PcapngWriter.open(file, "headgate lab", "parts of a lab's traffic"),
                        ports,
                        rings,
                        CaptureFilter.parse(
                                "", bytes -> arena.allocate(bytes, SlotMemory.PAGE_BYTES)),
                        realTime::nowNs,
                        epochNs,
                        CaptureRequest.WHOLE_FRAMES,
                        0);
        writer.start();
    }

    /** Starts capturing frames. */
    public synchronized void open() {
        if (closed || open) {
            return;
        }
        open = true;
        for (int port = 0; port < realTime.engine().ports(); port++) {
            CaptureRing in = rings.get(2 * port);
            CaptureRing out = rings.get(2 * port + 1);
            realTime.awaitBoth(port, half -> half.tap(in), half -> half.tap(out));
        }
    }

    /** Stops capturing frames. */
    public synchronized void shut() {
        if (!open) {
            return;
        }
        open = false;
        for (int port = 0; port < realTime.engine().ports(); port++) {
            realTime.awaitBoth(port, half -> half.tap(null), half -> half.tap(null));
        }
    }

    /** Its numbers of frames; exact once it is closed. */
    public CaptureWriter.Summary summary() {
        return writer.summary();
    }

    /** Why it ended early, in one sentence; null if it did not. */
    public @Nullable String problem() {
        return writer.problem();
    }

    /** Writes the remaining frames and closes the file. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            shut();
            closed = true;
            writer.close();
        }
    }
}
