package io.headgate.testbed.lab;

import io.headgate.config.Reason;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.RunningCapture;
import io.headgate.testbed.lab.capture.Tshark;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/**
 * Counts the marks of UDP frames that leave the last switch: their headers are captured there, and
 * tshark reads the ECN field, with the code points of {@code dataplane/marking.md}.
 */
final class LabMarks implements AutoCloseable {
    private static final int HEADERS_BYTES = 128;
    private static final double PERCENT = 100;

    /** Sender, receiver, port and mark of each frame. */
    static final List<String> FIELDS = List.of("ip.src", "ip.dst", "udp.dstport", "ip.dsfield.ecn");

    private static final int MARK = FIELDS.size() - 1;
    private static final List<String> AS_DATA = List.of("-d", "udp.port==1-65535,data");

    private static final int UNDETERMINED = 2;
    private static final int CONGESTED = 3;

    /**
     * The frames of a flow, by mark.
     *
     * @param number the flow's place in its phase, from 0
     * @param from the sender's number, from 1
     * @param to the receiver's
     * @param congested those marked "congestion experienced"
     * @param undetermined those marked "undetermined"
     */
    record Count(int number, int from, int to, long frames, long congested, long undetermined) {
        /**
         * For people, such as {@code h1→h3}.
         *
         * @param nameOf a host by its number, from 1
         */
        String flow(IntFunction<String> nameOf) {
            return nameOf.apply(from) + "→" + nameOf.apply(to);
        }
    }

    private final NetnsNetwork network;
    private final Map<Integer, Iperf3.Flow> flows;
    private final Map<Path, RunningCapture> captures = new LinkedHashMap<>();

    /**
     * Captures from now on what goes to the receivers of flows; nothing of no flows.
     *
     * @param flows by their places in their phase
     * @param file of a network of one switch; of others each has its own next to it
     */
    LabMarks(NetnsNetwork network, LabSwitches switches, Map<Integer, Iperf3.Flow> flows, Path file)
            throws BedException {
        this.network = network;
        this.flows = new TreeMap<>(flows);
        Map<Integer, Set<String>> ports = new TreeMap<>();
        for (Iperf3.Flow flow : flows.values()) {
            LinkPlan.End at = network.portOf(flow.to() - 1);
            String port = switches.all().get(at.node()).ports().get(at.port()).name();
            ports.computeIfAbsent(at.node(), _ -> new LinkedHashSet<>()).add(port);
        }
        for (Map.Entry<Integer, Set<String>> one : ports.entrySet()) {
            CaptureRequest request =
                    new CaptureRequest(
                            List.copyOf(one.getValue()),
                            Set.of(CaptureRequest.Point.OUT),
                            "proto udp",
                            HEADERS_BYTES,
                            0);
            Path own =
                    switches.all().size() == 1
                            ? file
                            : LabCapture.beside(file, switches.name(one.getKey()));
            try {
                captures.put(own, switches.all().get(one.getKey()).startCapture(request, own));
            } catch (CaptureException e) {
                close();
                throw new BedException(Reason.of(e), e);
            }
        }
    }

    /**
     * Has it read, once it has ended: tshark takes a core for a while.
     *
     * @return by flow
     * @throws BedException if it could not be written, or not be read
     */
    List<Count> read(Programs programs) throws BedException {
        List<String[]> frames = new ArrayList<>();
        for (Map.Entry<Path, RunningCapture> one : captures.entrySet()) {
            String problem = one.getValue().problem();
            if (problem != null) {
                throw new BedException(problem);
            }
            frames.addAll(Tshark.read(programs, one.getKey(), AS_DATA, FIELDS));
        }
        List<Count> counts = new ArrayList<>();
        flows.forEach((number, flow) ->
                counts.add(count(frames, number, flow, address(flow.from()), address(flow.to()))));
        return counts;
    }

    /**
     * Counts frames of a flow: others may have the same ends.
     *
     * @param number its place in its phase
     */
    static Count count(
            List<String[]> frames,
            int number,
            Iperf3.Flow flow,
            String source,
            String destination) {
        List<String> ends = List.of(source, destination, Integer.toString(Iperf3.port(number)));
        long[] by = new long[CONGESTED + 1];
        for (String[] frame : frames) {
            if (Arrays.asList(frame).subList(0, MARK).equals(ends)
                    && frame[MARK].matches("[0-3]")) {
                by[Integer.parseInt(frame[MARK])]++;
            }
        }
        long all = by[0] + by[1] + by[UNDETERMINED] + by[CONGESTED];
        return new Count(number, flow.from(), flow.to(), all, by[CONGESTED], by[UNDETERMINED]);
    }

    private String address(int host) {
        HostPlan plan = network.plan().hosts().get(host - 1);
        return plan.address().getHostAddress();
    }

    /**
     * What share of frames is marked, in percent; NaN where there are none.
     *
     * @param numbers of flows whose frames they are
     */
    static double share(List<Count> counts, List<Integer> numbers, ToLongFunction<Count> marked) {
        List<Count> own = counts.stream().filter(one -> numbers.contains(one.number())).toList();
        return PERCENT
                * own.stream().mapToLong(marked).sum()
                / own.stream().mapToLong(Count::frames).sum();
    }

    @Override
    public void close() {
        captures.values().forEach(RunningCapture::close);
    }
}
