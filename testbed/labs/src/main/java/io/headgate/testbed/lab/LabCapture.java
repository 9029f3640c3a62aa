package io.headgate.testbed.lab;

import io.headgate.control.capture.CaptureException;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.runner.RealTimeSwitch;
import io.headgate.testbed.lab.capture.CaptureMoment;
import io.headgate.testbed.lab.capture.CaptureWindows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capture of a lab: a file per switch, with times of one clock, so that a frame can be followed
 * from one to the next. A time is that of the beginning of a worker's cycle. Frames are taken only
 * while a window is open. The lab's thread makes and closes it; any thread may use windows.
 */
final class LabCapture implements AutoCloseable {
    /** More looks would bring two clocks no closer together. */
    private static final int LOOKS = 16;

    /**
     * The capture of one switch.
     *
     * @param name as reports have it: with the switch's where there are several
     * @param epochNs what its file adds to its engine's clock to get ns since 1970-01-01 UTC
     */
    record Part(String name, Path file, CaptureWindows windows, long epochNs) {
        /** Its name inside a sentence: that of the switch as it is. */
        String inSentence() {
            return name.replaceFirst("Capture", "capture");
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private volatile @Nullable CaptureMoment moment;

    /**
     * @param file file of a single switch; several switches write {@code capture-s1.pcapng} and so
     *     on in its directory
     * @throws CaptureException if a file cannot be made; none is left open then
     */
    LabCapture(LabSwitches switches, Path file) throws CaptureException {
        RealTimeSwitch first = switches.all().getFirst().realTime();
        try {
            for (int node = 0; node < switches.all().size(); node++) {
                RunningSwitch one = switches.all().get(node);
                Path own = switches.all().size() == 1 ? file : beside(file, switches.name(node));
                long epochNs = first.epochOffsetNs() + aheadNs(first, one.realTime());
                String name = file.equals(own) ? "Capture" : "Capture of " + switches.name(node);
                CaptureWindows windows = new CaptureWindows(one, own, epochNs);
                parts.add(new Part(name, own, windows, epochNs));
            }
        } catch (CaptureException e) {
            close();
            throw e;
        }
    }

    /** The same with a switch's name. */
    static Path beside(Path file, String switchName) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = dot < 0 ? name : name.substring(0, dot);
        String kind = dot < 0 ? "" : name.substring(dot);
        return file.resolveSibling(stem + "-" + switchName + kind);
    }

    /** By how much one engine's clock is ahead of another's: each counts from when it began. */
    private static long aheadNs(RealTimeSwitch one, RealTimeSwitch other) {
        long shortestNs = Long.MAX_VALUE;
        long aheadNs = 0;
        for (int look = 0; look < LOOKS; look++) {
            long before = one.nowNs();
            long between = other.nowNs();
            long after = one.nowNs();
            if (after - before < shortestNs) {
                shortestNs = after - before;
                aheadNs = before + (after - before) / 2 - between;
            }
        }
        return aheadNs;
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    /**
     * Captures a moment that begins after a time from now, unless this is closed before.
     *
     * @param controlled whether it must contain a frame of flow control that the switches sent
     */
    void openAfter(long ns, LabSwitches switches, boolean controlled) {
        moment =
                CaptureMoment.after(
                        ns,
                        this::open,
                        this::shut,
                        () -> sent(switches, EgressCounter.FRAMES_TRANSMITTED),
                        () -> sent(switches, EgressCounter.LINK_CONTROL_TRANSMITTED),
                        controlled);
    }

    /** Captures frames for a time, unless this is closed before. */
    void openFor(long ns) {
        awaitMoment();
        moment = CaptureMoment.during(ns, this::open, this::shut);
    }

    void awaitMoment() {
        CaptureMoment last = moment;
        if (last != null) {
            last.await();
        }
    }

    boolean hasControl() {
        CaptureMoment last = moment;
        return last != null && last.hasControl();
    }

    private static long sent(LabSwitches switches, EgressCounter what) {
        return LabCounters.of(switches).total(Scope.EGRESS, what);
    }

    void open() {
        parts.forEach(part -> part.windows.open());
    }

    void shut() {
        parts.forEach(part -> part.windows.shut());
    }

    /** Ends the moment, writes what was seen and closes the files. Idempotent. */
    @Override
    public void close() {
        CaptureMoment last = moment;
        if (last != null) {
            last.close();
        }
        parts.forEach(part -> part.windows.close());
    }
}
