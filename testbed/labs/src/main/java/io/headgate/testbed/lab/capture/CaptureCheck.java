package io.headgate.testbed.lab.capture;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs tshark on a capture, to find frames that a switch must not produce.
 *
 * @param frames read
 * @param bad those that tshark finds malformed or of a wrong checksum
 */
public record CaptureCheck(long frames, List<BadFrame> bad) {
    /**
     * A frame that tshark reports as bad.
     *
     * @param number in the capture, from 1
     * @param protocols as tshark took it apart, e.g. {@code eth:ethertype:ip:tcp}
     * @param why which checksum, or that it is malformed
     * @param said what tshark's expert says of it; may be empty
     */
    public record BadFrame(String number, String protocols, List<String> why, String said) {
        public BadFrame {
            why = List.copyOf(why);
        }

        /** For a person. */
        public String describe() {
            return "frame "
                    + number
                    + " ("
                    + protocols
                    + "): "
                    + String.join(", ", why)
                    + (said.isEmpty() ? "" : ", \"" + said + "\"");
        }
    }

    private static final List<String> CHECKSUMMED = List.of("ip", "tcp", "udp", "icmp", "icmpv6");
    private static final List<String> OTHERS =
            List.of("frame.number", "frame.protocols", "_ws.expert.message", "_ws.malformed");
    private static final List<String> TCP_SUMS = List.of("tcp.checksum", "tcp.checksum_calculated");
    static final List<String> FIELDS =
            Stream.of(
                            OTHERS.stream(),
                            CHECKSUMMED.stream().map(CaptureCheck::status),
                            TCP_SUMS.stream())
                    .flatMap(fields -> fields)
                    .toList();

    // Zero has two forms in one's complement, and adds up the same in both (RFC 1624, section 3);
    // Linux sends now the one, now the other, of which Wireshark takes one for wrong.
    private static final String OTHER_ZERO =
            "tcp.checksum == 0xffff && tcp.checksum_calculated == 0";

    /** "Bad" in Wireshark's checksum status fields. */
    private static final String BAD = "0";

    private static final List<String> VERIFY =
            List.of(
                    "-o", "ip.check_checksum:TRUE",
                    "-o", "tcp.check_checksum:TRUE",
                    "-o", "udp.check_checksum:TRUE",
                    // iperf3 sends noise, whatever protocol tshark associates with its ports.
                    "-d", "tcp.port==1-65535,data",
                    "-d", "udp.port==1-65535,data");

    public CaptureCheck {
        bad = List.copyOf(bad);
    }

    /**
     * Reads a capture.
     *
     * @param more fields of each frame that somebody else wants, behind those that are checked here
     * @param ifCut takes a sentence if the file is cut short
     * @throws BedException if tshark cannot be started, or reads none of the file
     */
    public static List<String[]> read(
            Programs programs, Path file, List<String> more, Consumer<String> ifCut)
            throws BedException {
        List<String> fields = Stream.concat(FIELDS.stream(), more.stream()).toList();
        return Tshark.readPart(programs, file, VERIFY, fields, ifCut);
    }

    /** Checks what has been read. */
    public static CaptureCheck of(List<String[]> frames) {
        List<BadFrame> bad = new ArrayList<>();
        for (String[] fields : frames) {
            List<String> why = faults(fields);
            if (!why.isEmpty()) {
                bad.add(new BadFrame(fields[0], fields[1], why, fields[2]));
            }
        }
        return new CaptureCheck(frames.size(), bad);
    }

    /** A field has a value for each time the protocol occurs in the frame. */
    private static List<String> faults(String[] fields) {
        List<String> faults = new ArrayList<>();
        int first = OTHERS.size();
        if (!fields[first - 1].isEmpty()) {
            faults.add("malformed");
        }
        boolean otherZero =
                fields[FIELDS.size() - 2].equals("0xffff")
                        && fields[FIELDS.size() - 1].equals("0x0000");
        for (int i = 0; i < CHECKSUMMED.size(); i++) {
            if (otherZero && CHECKSUMMED.get(i).equals("tcp")) {
                continue;
            }
            if (List.of(fields[first + i].split(",")).contains(BAD)) {
                faults.add(status(CHECKSUMMED.get(i)) + " is bad");
            }
        }
        return faults;
    }

    private static String status(String protocol) {
        return protocol + ".checksum.status";
    }

    /** The command that a person can run to see the bad frames. */
    public static String command(Path file) {
        StringBuilder filter = new StringBuilder("_ws.malformed");
        for (String protocol : CHECKSUMMED) {
            String isBad = status(protocol) + " == 0";
            filter.append(" || ");
            filter.append(
                    protocol.equals("tcp") ? "(" + isBad + " && !(" + OTHER_ZERO + "))" : isBad);
        }
        return "tshark -r " + file + " " + String.join(" ", VERIFY) + " -Y '" + filter + "'";
    }
}
