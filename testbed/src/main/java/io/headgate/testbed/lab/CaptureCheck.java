package io.headgate.testbed.lab;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Has tshark read a capture and look for what a switch must not produce.
 *
 * @param frames read
 * @param bad numbers of the frames that tshark finds malformed or of a wrong checksum
 */
record CaptureCheck(long frames, List<String> bad) {
    private static final long TIMEOUT_MS = 180_000;
    private static final List<String> CHECKSUMMED = List.of("ip", "tcp", "udp", "icmp", "icmpv6");
    private static final int FIELDS = 2 + CHECKSUMMED.size();

    /** "Bad" in Wireshark's checksum status fields. */
    private static final String BAD = "0";

    private static final List<String> VERIFY =
            List.of(
                    "-o", "ip.check_checksum:TRUE",
                    "-o", "tcp.check_checksum:TRUE",
                    "-o", "udp.check_checksum:TRUE",
                    // What iperf3 sends is noise: whatever protocol its ports may stand for.
                    "-d", "tcp.port==1-65535,data",
                    "-d", "udp.port==1-65535,data");

    CaptureCheck {
        bad = List.copyOf(bad);
    }

    /**
     * Reads a capture.
     *
     * @throws BedException if tshark cannot be started, or does not read the file to its end
     */
    static CaptureCheck of(Programs programs, Path file) throws BedException {
        List<String> command = new ArrayList<>();
        // Not with the preferences of whoever runs us.
        command.addAll(List.of("env", "WIRESHARK_CONFIG_DIR=/nonexistent", "HOME=/nonexistent"));
        command.addAll(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(VERIFY);
        command.addAll(List.of("-T", "fields", "-e", "frame.number", "-e", "_ws.malformed"));
        for (String protocol : CHECKSUMMED) {
            command.addAll(List.of("-e", protocol + ".checksum.status"));
        }
        Programs.Result result = programs.run(null, TIMEOUT_MS, command);
        if (!result.ok()) {
            throw new BedException("tshark cannot read " + file + ": " + result.lastLine());
        }
        List<String[]> frames =
                result.output()
                        .lines()
                        .map(line -> line.split("\t", -1))
                        // tshark's warnings come in between.
                        .filter(fields -> fields.length == FIELDS)
                        .toList();
        List<String> bad =
                frames.stream().filter(CaptureCheck::isBad).map(fields -> fields[0]).toList();
        return new CaptureCheck(frames.size(), bad);
    }

    /** A field has a value for each time the protocol occurs in the frame. */
    private static boolean isBad(String[] fields) {
        if (!fields[1].isEmpty()) {
            return true;
        }
        for (int i = 2; i < fields.length; i++) {
            if (List.of(fields[i].split(",")).contains(BAD)) {
                return true;
            }
        }
        return false;
    }

    /** The command that a person can run to see the bad frames. */
    static String command(Path file) {
        StringBuilder filter = new StringBuilder("_ws.malformed");
        CHECKSUMMED.forEach(protocol -> filter.append(" || " + protocol + ".checksum.status == 0"));
        return "tshark -r " + file + " " + String.join(" ", VERIFY) + " -Y '" + filter + "'";
    }
}
