package io.headgate.control.daemon;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchChange;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.run.RunningCapture;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.device.DeviceInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers of a switch to a client for which the engine has no record of that form. */
public final class Answers {
    private Answers() {}

    /**
     * A port and its device.
     *
     * @param kind of the device; {@code none} while the port has no device
     * @param peer name of the far end, {@code s2:p3} or {@code h1}; empty: not known
     */
    public record Port(
            String name,
            String kind,
            String device,
            String detail,
            boolean up,
            long rateBps,
            long queueLimitBytes,
            int mtuBytes,
            String peer,
            List<Thresholds> thresholds) {
        public Port {
            thresholds = List.copyOf(thresholds);
        }

        static Port of(RunningSwitch.Port port, PortConfig config, String peer) {
            DeviceInfo device = port.device();
            return new Port(
                    port.name(),
                    device == null ? "none" : device.kind(),
                    device == null ? "" : device.name(),
                    device == null ? "" : device.detail(),
                    port.up(),
                    config.rateBps(),
                    config.queueLimitBytes(),
                    config.mtuBytes(),
                    peer,
                    Thresholds.of(config));
        }
    }

    /**
     * The thresholds at which a port stops its far end, in one lossless priority.
     *
     * @param xoffBytes bytes held at which it pauses; 0 with credits, or if it depends on what is
     *     free
     * @param xonBytes bytes held at which the pause ends
     * @param mostBytes maximum number of bytes that it may hold
     */
    public record Thresholds(int priority, long xoffBytes, long xonBytes, long mostBytes) {
        /** The thresholds of a port; none without flow control. */
        public static List<Thresholds> of(PortConfig config) {
            FlowControlConfig flow = config.flowControl();
            List<Integer> lossless =
                    flow.mode() == FlowControlConfig.Mode.NONE
                            ? List.of()
                            : config.traffic().lossless();
            FlowControlConfig.Buffers buffers = flow.buffers();
            FlowControlConfig.Credits credits = flow.credits();
            return lossless.stream()
                    .map(priority ->
                            buffers != null
                                    ? new Thresholds(
                                            priority,
                                            buffers.xoffBytes(),
                                            buffers.xonBytes(),
                                            buffers.xoffBytes() + buffers.headroomBytes())
                                    : new Thresholds(
                                            priority,
                                            0,
                                            0,
                                            credits == null ? 0 : credits.bufferBytes()))
                    .toList();
        }
    }

    /**
     * A key whose value has changed. Each value is text, as a file writes it on one line (numbers
     * too, so that answers for all keys have one form); null if the key has no value.
     */
    public record Change(String key, @Nullable String before, @Nullable String after, String text) {
        static Change of(SwitchChange change) {
            return new Change(
                    change.key(), words(change.before()), words(change.after()), change.toString());
        }

        private static @Nullable String words(@Nullable Object said) {
            return said == null ? null : SwitchChange.words(said);
        }
    }

    /**
     * The progress of a capture.
     *
     * @param problem why it ended early; empty if it did not
     */
    public record Capture(
            long seenFrames,
            long writtenFrames,
            long filteredFrames,
            long leftOutFrames,
            long lateFrames,
            boolean over,
            String problem) {
        static Capture of(RunningCapture capture) {
            CaptureWriter.Summary summary = capture.summary();
            String problem = capture.problem();
            return new Capture(
                    summary.seen(),
                    summary.written(),
                    summary.filtered(),
                    summary.leftOut(),
                    summary.late(),
                    capture.isOver(),
                    problem == null ? "" : problem);
        }
    }
}
