package io.headgate.testbed.lab;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Has tshark read a capture and look for what a switch must not produce.
 *
 * @param frames read
 * @param bad numbers of the frames that tshark finds malformed or of a wrong checksum
 */
record CaptureCheck(long frames, List<String> bad) {
    private static final long TIMEOUT_MS = 180_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** 0 is "bad" in Wireshark's checksum status fields. */
    private static final String BAD_FRAME =
            "_ws.malformed || ip.checksum.status == 0 || tcp.checksum.status == 0"
                    + " || udp.checksum.status == 0 || icmp.checksum.status == 0"
                    + " || icmpv6.checksum.status == 0";

    private static final List<String> VERIFY =
            List.of(
                    "-o", "ip.check_checksum:TRUE",
                    "-o", "tcp.check_checksum:TRUE",
                    "-o", "udp.check_checksum:TRUE");

    CaptureCheck {
        bad = List.copyOf(bad);
    }

    /**
     * Reads a capture.
     *
     * @throws BedException if tshark cannot be started, or does not read the file to its end
     */
    static CaptureCheck of(Programs programs, Path file) throws BedException {
        List<String> bad = numbers(programs, file, BAD_FRAME);
        return new CaptureCheck(numbers(programs, file, "frame").size(), bad);
    }

    private static List<String> numbers(Programs programs, Path file, String filter)
            throws BedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(VERIFY);
        command.addAll(List.of("-Y", filter, "-T", "fields", "-e", "frame.number"));
        Programs.Result result = programs.run(null, TIMEOUT_MS, command);
        if (!result.ok()) {
            throw new BedException("tshark cannot read " + file + ": " + result.lastLine());
        }
        return result.output().lines().filter(line -> NUMBER.matcher(line).matches()).toList();
    }

    /** The command that a person can run to see the bad frames. */
    static String command(Path file) {
        return "tshark -r " + file + " -Y '" + BAD_FRAME + "'";
    }
}
