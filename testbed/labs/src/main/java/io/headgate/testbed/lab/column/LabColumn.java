package io.headgate.testbed.lab.column;

import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Heading;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The columns of the labs' own tables, each with the values that it counts and their period. A
 * phase lasts from just before its senders begin until all have ended and the kernels' drops are
 * known.
 */
public enum LabColumn {
    FRAMES_PORT("port", "the switch's port"),
    FRAMES_HOST_SENT(
            ">host sent",
            "frames that the host's interface sent since all links were up and at rest, before the"
                    + " first ping; between switches, frames that the other switch sent, without"
                    + " link control"),
    FRAMES_RECEIVED(
            ">received",
            "frames that the switch took from the port's device since then " + "(frames.received)"),
    FRAMES_DROPPED_IN(
            ">dropped in",
            "frames dropped on their way in since then, by device, kernel or "
                    + "ingress half, for all reasons"),
    FRAMES_FORWARDED(
            ">forwarded",
            "frames that the port's ingress half handed to egress halves since "
                    + "then, without copies made by flooding"),
    FRAMES_TRANSMITTED(
            ">transmitted",
            "frames that the switch gave to the port's device since then "
                    + "(frames.transmitted), without link control"),
    FRAMES_DROPPED_OUT(
            ">dropped out", "frames dropped at the port's egress since then, for all reasons"),
    FRAMES_HOST_RECEIVED(
            ">host received",
            "frames that the host's interface received since then, without link " + "control"),
    FRAMES_UNEXPLAINED(
            ">unexplained",
            "frames sent on either side of the port since then that no other column accounts for"),
    DROPS_PHASE("phase", "the phase, from just before its senders began until all had ended"),
    DROPS_PORT("port", "the switch's port; - if the place is not in a switch"),
    DROPS_SIDE("side", "in: before the egress queues; out: at them or after them"),
    DROPS_REASON("reason", "why, by the switch's word"),
    DROPS_FRAMES(
            ">frames",
            "frames dropped there for this reason in this phase only; without those of pings or"
                    + " between phases"),
    DROPS_WHY("why", "what it means here"),
    TCP_PHASE(
            "phase",
            "the phase's name, and the start of the flow in it if it did not begin with the phase"),
    TCP_FLOW("flow", "sender and receiver"),
    TCP_RECEIVED(
            ">received (%s)",
            "payload that the receiver's iperf3 read, divided by the time that the flow lasted"
                    + " there"),
    TCP_RETRANSMITS_SEGMENTS(
            ">retransmits (segments)",
            "segments that the sender's kernel sent again while the flow lasted"),
    UDP_PHASE(
            "phase",
            "the phase's name, and the start of the flow in it if it did not begin with the phase"),
    UDP_FLOW("flow", "sender and receiver"),
    UDP_SENT(
            ">sent (%s)",
            "payload that the sender's iperf3 gave to its socket, divided by the flow's duration"),
    UDP_RECEIVED(
            ">received (%s)",
            "payload that the receiver's iperf3 read, divided by the time that the flow lasted"
                    + " there"),
    UDP_LOST_TOTAL_DATAGRAMS(
            ">lost/total (datagrams)",
            "datagrams that never arrived at the receiver's iperf3, and datagrams that it knows"
                    + " were sent, over the whole flow, wherever they were lost"),
    UDP_LOST_SHARE(">lost (%)", "the lost datagrams as a share of the total"),
    UDP_JITTER_MS(
            ">jitter (ms)",
            "jitter of transit times at the end of the flow, smoothed by the receiver's iperf3 (RFC"
                    + " 3550)"),
    RDMA_FLOW("flow", "sender and receiver"),
    RDMA_VERB("verb", "by which messages are sent"),
    RDMA_CONTROL("control", "the rate control of each connection"),
    RDMA_START_S(">start (s)", "the start in the file, relative to the start of the lab's traffic"),
    RDMA_RECEIVED_MB_S(
            ">received (Mb/s)",
            "payload of whole messages at the receiver, from the first packet of the first to the"
                    + " last of the last, of all connections"),
    RDMA_MESSAGES(">messages", "completely acknowledged messages"),
    RDMA_MEDIAN_MS(
            ">median (ms)",
            "time of a message, from its first packet's sending to its acknowledgement"),
    RDMA_P99_MS(">p99 (ms)", "99 % of these times are not longer"),
    RDMA_REPEATED(">sent again (packets)", "packets that the sender sent again, for any reason"),
    PROBES_FLOW("flow", "sender and receiver of numbered datagrams"),
    PROBES_SENT(">sent (datagrams)", "datagrams that the sender's socket accepted"),
    PROBES_LOST(">lost (datagrams)", "sent datagrams that never arrived"),
    PROBES_INTERVAL_MS(">interval (ms)", "time between two datagrams, as set in the file"),
    PROBES_OUTAGE_MS(
            ">longest outage (ms)",
            "time from the sending of the first to the sending of the last of consecutive lost"
                    + " datagrams, plus one interval"),
    PROBES_OUTAGE_FROM_S(
            ">from (s)", "start of that outage, relative to the start of the lab's traffic"),
    COMMANDS_HOST("host", "the host that ran it"),
    COMMANDS_COMMAND("command", "the command line in the file"),
    COMMANDS_ENDED("ended", "its exit code, or a note that the lab ended it"),
    COMMANDS_OUTPUT("output", "the file with its output"),
    PINGS_FROM("from", "the host that sends the pings"),
    PINGS_TO("to", "the host that answers"),
    PINGS_SHORTEST_ROUND_TRIP_MS(
            ">shortest round trip (ms)",
            "minimum over the pings before the traffic, as ping shows it"),
    LOSSES_WHERE("where", "switch, agent, TAP, queueing discipline or sockets"),
    LOSSES_REASON("reason", "why"),
    LOSSES_FRAMES(
            ">frames",
            "frames lost there for this reason since just before the phase's senders began; in a"
                    + " lab from a file, since before the first ping"),
    LOSSES_MEANING("meaning", "what it means"),
    MARKS_PHASE("phase", "the phase of the traffic, or the run"),
    MARKS_FLOW("flow", "sender and receiver"),
    MARKS_FRAMES(
            ">frames",
            "frames of the flow that tshark finds among the frames that the last switch sent to the"
                    + " receiver"),
    MARKS_CONGESTED(">congested", "those marked \"congestion experienced\""),
    MARKS_CONGESTED_SHARE(">(%)", "their share of the frames"),
    MARKS_UNDETERMINED(">undetermined", "those marked \"undetermined\""),
    MARKS_UNDETERMINED_SHARE(">(%)", "their share of the frames"),
    WHO_LOST_PHASE("phase", "the phase's name"),
    WHO_LOST_HOST("host", "the host that sends the flow"),
    WHO_LOST_SENT(
            ">sent",
            "datagrams that the receiver's iperf3 knows were sent, over the " + "whole flow"),
    WHO_LOST_LOST_IN_THE_HOST(
            ">lost in the host",
            "datagrams sent minus frames that the host's card took from the TAP in the phase"),
    WHO_LOST_ON_THE_WAY(
            ">on the way",
            "those frames minus the frames that the switch's port at the host forwarded in the"
                    + " phase"),
    WHO_LOST_AT_THE_PORT_OR_BEHIND(
            ">in queues or behind",
            "those forwarded frames minus the datagrams that the receiver's iperf3 got"),
    WHO_LOST_RECEIVED(">received", "datagrams that the receiver's iperf3 got, over the whole flow"),
    WHO_LOST_OF_WHAT_CAME_THERE_SHARE(
            ">of what came there (%)",
            "frames lost in queues or behind as a share of the frames that came there"),
    WHY_PHASE("phase", "the phase's name"),
    WHY_WHERE("where", "switch, agent, TAP, queueing discipline or sockets"),
    WHY_REASON("reason", "why"),
    WHY_FRAMES(">frames", "frames lost there for this reason in the phase"),
    WHY_MEANING("meaning", "what it means"),
    MEASURES_NAME("measure", "its name in the file"),
    MEASURES_VALUE(">value", "computed from measures of phases, as set in the file"),
    MEASURES_UNIT("unit", "unit of the value");

    /** The table of a column: its section in a report. */
    public enum Of {
        FRAMES("Frames"),
        DROPS("Drops"),
        TCP("TCP"),
        UDP("UDP"),
        RDMA("RDMA flows"),
        PROBES("Outages"),
        COMMANDS("Commands"),
        PINGS("Ping"),
        LOSSES("Losses"),
        MARKS("Marks"),
        WHO_LOST("Who lost what, and where"),
        WHY("Why"),
        MEASURES("Measures");

        private final String section;

        Of(String section) {
            this.section = section;
        }

        /** The section's name; in reports of several networks the network's follows. */
        public String section() {
            return section;
        }
    }

    private final Of of;
    private final String heading;
    private final String says;

    LabColumn(String heading, String says) {
        // By the longest name: WHO_LOST_SENT is of WHO_LOST, also if there were a table WHO.
        this.of =
                Arrays.stream(Of.values())
                        .filter(table -> name().startsWith(table.name() + "_"))
                        .max(Comparator.comparingInt(table -> table.name().length()))
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        name() + " does not begin with the name of a table"));
        this.heading = heading;
        this.says = says;
    }

    public Of of() {
        return of;
    }

    /** As {@link Table} takes it; {@code %s} is a unit that fits the numbers. */
    public String heading() {
        return heading;
    }

    /** What the column counts, and over which time. */
    public String says() {
        return says;
    }

    /** A table with these columns, and no rows yet. */
    public static Table table(Of of) {
        return table(of, "");
    }

    /**
     * The same of which some columns have a unit that fits the numbers.
     *
     * @param unit such as {@code Mb/s}
     */
    public static Table table(Of of, String unit) {
        return new Table(
                Arrays.stream(values())
                        .filter(column -> column.of == of)
                        .map(column -> new Heading(column.heading.replace("%s", unit), column.says))
                        .toList());
    }
}
