package io.headgate.testbed.lab.capture;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.frame.MacAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks whether the frames of flow control in a capture comply with the standard. */
public final class ControlFrames {
    private static final String OUTBOUND = "0x00000002";
    private static final String LENGTH = "60";
    private static final String RESUME = "0";

    // Wireshark's fields that tell them from other frames, and their values.
    private static final String CREDITS = "eth.type";
    private static final String CREDITS_VALUE = "0x88b5";
    private static final String PAUSES = "macc.opcode";
    private static final String PAUSES_VALUE = "0x0101";

    private final Mode mode;
    private final Map<String, String> macs = new HashMap<>();
    private final String classVector;
    private final List<String> fields;
    private final String quanta;

    /**
     * For what a switch with that kind of flow control sends.
     *
     * @param priority the lossless one
     */
    public ControlFrames(RunningSwitch running, Mode mode, int priority) {
        this.mode = mode;
        this.classVector = String.format("0x%04x", 1 << priority);
        this.fields =
                List.of(
                        mode == Mode.CREDITS ? CREDITS : PAUSES,
                        "frame.packet_flags_direction",
                        "frame.interface_name",
                        "frame.len",
                        "eth.src",
                        "macc.cbfc.enbv",
                        "macc.cbfc.pause_time.c" + priority);
        for (RunningSwitch.Port port : running.ports()) {
            var device = port.device();
            macs.put(port.name(), device == null ? "" : MacAddress.format(device.mac()));
        }
        FlowControlConfig.Pause pause = running.config().ports().getFirst().flowControl().pause();
        quanta = pause == null ? "" : Integer.toString(pause.quanta());
    }

    /** Wireshark's filter for the frames of a kind of flow control. */
    public static String filter(Mode mode) {
        return mode == Mode.CREDITS
                ? CREDITS + " == " + CREDITS_VALUE
                : PAUSES + " == " + PAUSES_VALUE;
    }

    /** What tshark must read of each frame. */
    public List<String> fields() {
        return fields;
    }

    /**
     * Adds to the report what they are; a problem if the switch sent wrong ones.
     *
     * @param all frames of the capture, the last of whose fields are {@link #fields}
     * @param capture as the report calls it
     * @param isSure whether the switch must have sent some meanwhile; a problem if it did not
     */
    public void check(List<String[]> all, String capture, boolean isSure, RunReport report) {
        List<String[]> frames =
                all.stream()
                        .map(frame ->
                                Arrays.copyOfRange(
                                        frame, frame.length - fields.size(), frame.length))
                        .filter(this::isControl)
                        .map(frame -> Arrays.copyOfRange(frame, 1, frame.length))
                        .toList();
        List<String[]> sent = frames.stream().filter(frame -> frame[0].equals(OUTBOUND)).toList();
        List<String[]> wrong = sent.stream().filter(frame -> !isRight(frame)).toList();
        report.add(
                new Section(
                        "Flow control in the " + capture,
                        frames.size(),
                        frames.size()
                                + " frames match "
                                + filter(mode)
                                + "; "
                                + sentence(sent, wrong)));
        if (sent.isEmpty() && isSure) {
            report.problem("the capture has no frame of flow control that the switch sent");
        } else if (!wrong.isEmpty()) {
            report.problem(
                    wrong.size()
                            + " frames of flow control are wrong, such as "
                            + String.join(" ", wrong.getFirst()));
        }
    }

    private String sentence(List<String[]> sent, List<String[]> wrong) {
        String what =
                "of "
                        + sent.size()
                        + " that the switch sent, "
                        + (sent.size() - wrong.size())
                        + " have "
                        + LENGTH
                        + " bytes";
        return mode == Mode.CREDITS
                ? what + " and the address of their port"
                : what
                        + ", the address of their port, class vector "
                        + classVector
                        + " and "
                        + quanta
                        + " or "
                        + RESUME
                        + " quanta";
    }

    /** A field has a value for each time the protocol occurs in the frame. */
    private boolean isControl(String[] frame) {
        String value = mode == Mode.CREDITS ? CREDITS_VALUE : PAUSES_VALUE;
        return List.of(frame[0].split(",")).contains(value);
    }

    private boolean isRight(String[] frame) {
        boolean framed = frame[2].equals(LENGTH) && frame[3].equals(macs.get(frame[1]));
        if (mode == Mode.CREDITS) {
            return framed;
        }
        boolean timed = frame[5].equals(quanta) || frame[5].equals(RESUME);
        return framed && timed && frame[4].equals(classVector);
    }
}
