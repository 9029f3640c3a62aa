package io.headgate.testbed.scenario.file;

import static io.headgate.config.key.Quantity.DELAY;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code record} of a scenario file. */
record RecordEntry(
        @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "10us")
                @Says("Time between two samples.")
                @Otherwise("a 200th of the duration")
                long intervalPs,
        @Key(pattern = TrafficEntry.NAME)
                @Says("Names of traffic.")
                @Otherwise("all")
                @Allowed(GROUPS)
                @Items(max = 1000, each = Said.TRAFFIC)
                @Nullable List<String> throughput,
        @Key(pattern = PORT_OR_TIER)
                @Says("Ports of switches.")
                @Allowed(PORTS)
                @Items(max = 1000, each = A_PORT_OR_TIER)
                List<String> queues,
        @Key(pattern = PORT_OR_TIER)
                @Says(
                        "Ports of switches with flow control: the bytes that they received and"
                                + " still hold. In virtual time only.")
                @Beds(real = VIRTUAL)
                @Allowed(PORTS)
                @Items(max = 1000, each = A_PORT_OR_TIER)
                List<String> buffers,
        @Key(pattern = "^[A-Za-z0-9_*-]{1,24}/p([0-9]{1,3}|[*])$")
                @Says(
                        "Ports of switches that send pauses at a fixed xoff: the bytes that they"
                                + " hold above xoff. In virtual time only.")
                @Beds(real = VIRTUAL)
                @Allowed(PORTS)
                @Items(
                        max = 1000,
                        each =
                                "a switch and its port, counted from 1, such as s1/p4, or s1/p* for"
                                        + " all of them")
                List<String> headroom,
        @Key(pattern = END)
                @Says(
                        "Hosts, and ports of switches, whose links have flow control: the share of"
                                + " time in which they are stopped. In virtual time only.")
                @Beds(real = VIRTUAL)
                @Allowed(ENDS)
                @Items(max = 1000, each = AN_END)
                List<String> stopped,
        @Key(pattern = END)
                @Says(
                        "Hosts, and ports of switches, that are paused by PFC: the length of each"
                                + " period between two pauses. In virtual time only.")
                @Beds(real = VIRTUAL)
                @Allowed(ENDS)
                @Items(max = 1000, each = AN_END)
                List<String> onPeriods,
        @Key(pattern = "^[A-Za-z0-9_*-]{1,24}(/[a-z0-9*]{1,8}(/in|/out)?)? [a-zA-Z0-9_.-]{1,64}$")
                @Says(
                        "Counters of ports, switches and hosts' cards, by their labels in 'headgate"
                                + " show counters'.")
                @Allowed(
                        "a list of places and labels, such as [s1/p4 red.marked.p0, h1/wire"
                                + " frames.transmitted]")
                @Items(
                        max = 1000,
                        each =
                                "a place, which may have stars, a blank and a label, such as s1/p4"
                                        + " red.marked.p0")
                List<String> counters,
        @Key(pattern = TrafficEntry.NAME)
                @Says(
                        "Names of traffic: the number of frames that arrive in each interval, and"
                                + " the number of marked ones, are recorded.")
                @Allowed(GROUPS)
                @Items(max = 1000, each = Said.TRAFFIC)
                List<String> marks,
        @Key(pattern = TrafficEntry.NAME)
                @Says(
                        "Names of traffic: the rate that the host allows for each flow is"
                                + " recorded.")
                @Allowed(GROUPS)
                @Items(max = 1000, each = Said.TRAFFIC)
                List<String> rates) {
    static final String VIRTUAL = "refused: only virtual time has it";

    /** A host or a port; its name may have stars. */
    static final String END = "^[A-Za-z0-9_*-]{1,24}(/p([0-9]{1,3}|[*]))?$";

    static final String GROUPS = "a list of names of traffic, such as [web]";
    static final String PORTS = "a list of ports of switches, such as [s1/p4]";
    static final String ENDS = "a list of hosts and of ports of switches, such as [h1, s1/p4]";
    static final String AN_END =
            "a host, or a switch and its port, such as h1 or s1/p4, or h* for all with this"
                    + " beginning";
    static final String PORT_OR_TIER =
            "^([A-Za-z0-9_*-]{1,24}/p([0-9]{1,3}|[*])|[A-Za-z0-9_-]{1,32})$";
    static final String A_PORT_OR_TIER =
            "a switch and its port, counted from 1, such as s1/p4, s1/p* for all of them, or a"
                    + " tier";

    private static final int SAMPLES = 200;
    private static final int SHORTEST_PS = 1000;

    static long intervalPs(Known known) {
        return Math.max(SHORTEST_PS, known.number("duration") / SAMPLES);
    }
}
