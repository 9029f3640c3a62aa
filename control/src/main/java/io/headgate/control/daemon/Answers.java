package io.headgate.control.daemon;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchChange;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.run.RunningCapture;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.device.DeviceInfo;
import org.jspecify.annotations.Nullable;

/** What a switch answers a client where the engine has no record of just that. */
public final class Answers {
    private Answers() {}

    /**
     * A port and its device.
     *
     * @param kind of the device; {@code none} while the port has no device
     * @param up whether frames can flow
     */
    public record Port(
            String name,
            String kind,
            String device,
            String detail,
            boolean up,
            long rateBps,
            long queueLimitBytes,
            int mtuBytes) {
        static Port of(RunningSwitch.Port port, PortConfig config) {
            DeviceInfo device = port.device();
            return new Port(
                    port.name(),
                    device == null ? "none" : device.kind(),
                    device == null ? "" : device.name(),
                    device == null ? "" : device.detail(),
                    port.up(),
                    config.rateBps(),
                    config.queueLimitBytes(),
                    config.mtuBytes());
        }
    }

    /**
     * A key whose value has changed. Each value is text, as a file writes it on one line (numbers
     * too, so that answers for all keys have one form); null if the key has no value.
     *
     * @param text the whole change for people, on one line
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
     * What a capture has done.
     *
     * @param over whether nothing more will be written
     * @param problem why it ended early; empty while all is well
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
