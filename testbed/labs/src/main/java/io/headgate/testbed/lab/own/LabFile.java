package io.headgate.testbed.lab.own;

import static io.headgate.config.key.Quantity.DELAY;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.scenario.Check.Relation;
import io.headgate.testbed.scenario.file.ParameterKeys;
import io.headgate.testbed.scenario.file.Said;
import io.headgate.testbed.topology.TopologyReader;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of a lab's file. */
record LabFile(
        @Key(pattern = "^[A-Za-z0-9_-]{1,32}$")
                @Says("The lab's name in every output.")
                @Otherwise("the topology's")
                @Allowed("1 to 32 letters, digits, - or _, such as two-switches")
                String name,
        @Key(quantity = DELAY, min = "1s", max = "3600s", absent = "5s")
                @Says("Duration of traffic and commands together; with phases, of each phase.")
                @Allowed(SECONDS)
                long durationPs,
        @Key(absent = "moments")
                @Says(
                        "The captured frames: those of the pings and 20 ms in the middle, or all;"
                                + " frames that the capture misses are counted.")
                Capture capture,
        @Inline ParameterKeys parameters,
        @Key(codec = Said.Topology.class)
                @Says("The network, as in a topology file.")
                @Allowed(TopologyReader.ALLOWED)
                Map<String, Object> topology,
        @Key(absent = "false")
                @Says(
                        "Whether keys of rate controls, and the 'congestion' keys of the topology's"
                                + " ports, are for links of 40 Gb/s, as in papers: rates are"
                                + " divided, times multiplied, bytes stay. Otherwise they are used"
                                + " unchanged.")
                boolean asPublished,
        @Key(absent = "false")
                @Says(
                        "Whether each run is repeated in virtual time, as a scenario that is stored"
                                + " with the report: measures and figures of series then have both."
                                + " All traffic must be rdma.")
                boolean twin,
        @Key
                @Says(
                        "Series computed from counters of switches, which are read every 10 ms in"
                                + " each phase: the report draws them, series of the same unit"
                                + " together.")
                @Items(
                        max = 100,
                        each =
                                "a mapping with name and value, such as {name: queue, unit: kB,"
                                        + " value: '[s1/p4 queue.bytes] / 1000'}")
                List<LabSeries> series,
        @Key
                @Says("Numbers computed from measures of phases or runs, shown in the report.")
                @Allowed(
                        "a list, such as [{name: ratio, value: '[b: datagrams received of h1] / [a:"
                                + " datagrams received of h1]'}]")
                @Items(
                        max = 1000,
                        each =
                                "a mapping with name and value, such as {name: ratio, value: '[b:"
                                        + " frames dropped] / [a: frames dropped]'}")
                List<LabDerived> measures,
        @Key
                @Says(
                        "The lab's traffic also runs once before, all of it from the beginning,"
                                + " without being counted. The lab continues when switches hold no"
                                + " frames any more.")
                @Allowed("a mapping, such as {duration: 2s}")
                @Nullable WarmUp warmUp,
        @Key
                @Says(
                        "Phases of the hosts' traffic, one after the other: a phase begins when the"
                                + " flows of the previous one have ended. Instead of traffic,"
                                + " commands and orders.")
                @Otherwise("one phase with traffic, commands and orders")
                @Allowed(
                        "a list, such as [{name: pairs, traffic: [{from: h1, to: h2}]}, {name:"
                                + " incast, traffic: [{from: [h1, h2], to: h3}]}]")
                @Items(
                        max = 100,
                        each =
                                "a mapping with name, and traffic or commands, such as {name:"
                                        + " incast, traffic: [{from: [h1, h2], to: h3}]}")
                List<Phase> phases,
        @Inline What what,
        @Key(quantity = DELAY, min = "0s", max = "3600s", absent = "0s")
                @Says(
                        "Time from a link's change until routers use the remaining routes; bridges"
                                + " keep their addresses.")
                @Allowed("a time such as 100us, or one longer than the run: never")
                long reroutePs) {
    static final String ORDER =
            "a mapping with at and one of down, up, link with set, switch with set, picture with"
                    + " until, every with in-turn, explain with priority, and capture, such as {at:"
                    + " 2s, down: s1-s2}";
    static final String ORDERS =
            "a list, such as [{at: 2s, down: s1-s2}, {at: 3s, link: h1-s1, set: {delay: 5ms}}]";
    static final String ORDERS_SAY =
            "Changes during the run: links that go down and come up, that delay or lose frames, and"
                    + " keys of switches as with headgate set.";
    static final String SECONDS = "whole seconds from 1s to 3600s, such as 10s";
    static final String TIME = "a time such as 2s or 500ms, up to 3600s";

    /** A name of a host, of a switch or of traffic. */
    static final String NAME = "^[A-Za-z0-9_-]{1,24}$";

    static final String HOSTS = "a host or a list of hosts, such as h1 or [h1, h2]";
    static final String A_HOST = "a host's name, such as h1";

    /** The published schema; it holds that of a topology. */
    static final ConfigSchema SCHEMA =
            Schemas.withDefinitions(
                    LabFile.class,
                    "lab",
                    "Headgate lab",
                    "A network of real switches and hosts in network namespaces, and what the hosts"
                            + " do. Keywords with x- are for people and for Headgate, as in the schema"
                            + " of a switch.",
                    "a mapping with topology, and traffic, commands or phases, such as {topology:"
                            + " {name: t, builder: {single-switch: {hosts: 2}}}, traffic: [{from: h1,"
                            + " to: h2}]}",
                    TopologyReader.SCHEMA);

    enum Capture {
        MOMENTS,
        ALL
    }

    /**
     * The simultaneous traffic and events of a phase or of a whole lab, with the expected results.
     */
    record What(
            @Key
                    @Says(
                            "Flows of iperf3; with protocol rdma, flows of RoCEv2 endpoints; with"
                                    + " probe, numbered datagrams.")
                    @Allowed("a list, such as [{from: h1, to: h2}]")
                    @Items(
                            max = 256,
                            each =
                                    "a mapping with from and to, such as {from: h1, to: h2,"
                                            + " protocol: udp, rate: 50Mbps}")
                    List<LabTraffic> traffic,
            @Key
                    @Says("Commands that hosts run, by sh -c. Every host's name is in /etc/hosts.")
                    @Items(
                            max = 256,
                            each = "a mapping with at and run, such as {at: h1, run: ping -c 3 h2}")
                    List<Command> commands,
            @Key @Says(ORDERS_SAY) @Allowed(ORDERS) @Items(max = 1000, each = ORDER)
                    List<Order> orders,
            @Key
                    @Says("The expected results, in addition to the checks of every lab.")
                    @Items(
                            max = 100,
                            each =
                                    "a mapping with measure and one of at-most, at-least, below"
                                            + " and above, such as {measure: frames lost, at-most: 0}")
                    List<Expected> expect) {}

    record Phase(
            @Key(pattern = "^[A-Za-z0-9][A-Za-z0-9 _-]{0,31}$")
                    @Says("The phase's name in tables, figures and names of files.")
                    @Allowed("1 to 32 letters, digits, spaces, - or _, such as UDP incast")
                    String name,
            @Key(name = "duration", quantity = DELAY, min = "1s", max = "3600s")
                    @Says("Duration of the phase's traffic and commands.")
                    @Otherwise("the lab's")
                    @Allowed(SECONDS)
                    @Nullable Long ownPs,
            @Inline What what) {}

    record WarmUp(
            @Key(quantity = DELAY, min = "1s", max = "3600s", absent = "2s")
                    @Says("Duration of the warm-up.")
                    @Allowed("whole seconds from 1s to 3600s, such as 2s")
                    long durationPs,
            @Key @Says(ORDERS_SAY) @Allowed(ORDERS) @Items(max = 1000, each = ORDER)
                    List<Order> orders) {}

    record Command(
            @Key(pattern = NAME)
                    @Says("The hosts that run it.")
                    @Allowed(HOSTS)
                    @Items(min = 1, max = 128, orOne = true, each = A_HOST)
                    List<String> at,
            @Key(max = "4000")
                    @Says("The command line.")
                    @Allowed("a command line, such as ping -c 3 h2")
                    String run,
            @Key(quantity = DELAY, min = "0s", max = "3600s", absent = "0s")
                    @Says("Start of the command.")
                    @Allowed(TIME)
                    long startPs,
            @Key(absent = "done")
                    @Says(
                            "done: the command ends by itself within the lab's duration, with exit"
                                    + " code 0. end: a server, which starts before everything else"
                                    + " and is ended with the lab.")
                    Until until) {
        enum Until {
            DONE,
            END
        }
    }

    record Order(
            @Key(quantity = DELAY, min = "0s", max = "3600s")
                    @Says("Time of the order, from the start of the lab's traffic.")
                    @Allowed("a time such as 2s or 500ms, up to the duration")
                    long atPs,
            @Key(pattern = Said.LINK)
                    @Says("Links that go down: frames in transit are lost, and no frame passes.")
                    @Otherwise("none")
                    @Allowed(Said.LINKS)
                    @Items(min = 1, max = 128, orOne = true, each = Said.A_LINK)
                    List<String> down,
            @Key(pattern = Said.LINK)
                    @Says("Links that come up again.")
                    @Otherwise("none")
                    @Allowed(Said.LINKS)
                    @Items(min = 1, max = 128, orOne = true, each = Said.A_LINK)
                    List<String> up,
            @Key(pattern = Said.LINK)
                    @Says(
                            "The link to which set applies, in both directions unless towards is"
                                    + " given.")
                    @Otherwise("none")
                    @Allowed(Said.A_LINK)
                    String link,
            @Key(pattern = NAME)
                    @Says("Only frames to this end of the link are affected.")
                    @Otherwise("both directions")
                    @Allowed("an end of the link, such as s2")
                    @Nullable String towards,
            @Key(name = "switch", pattern = NAME)
                    @Says("The switch to which set applies.")
                    @Otherwise("the only one")
                    @Allowed("a switch of the topology, such as s1")
                    String node,
            @Key(codec = Said.Mapping.class, min = "1")
                    @Says(
                            "With link: delay, jitter, loss, corruption, reordering,"
                                    + " reordering-delay and repetition, or up and down together,"
                                    + " with mean times. Otherwise keys of the switch's"
                                    + " configuration with new values, ports by their names.")
                    @Otherwise("none")
                    @Allowed(
                            "keys with new values, such as {delay: 5ms, loss: 0.01} of a link or"
                                    + " {p4: {rate: 1Gbps}} of a switch")
                    Map<String, Object> set,
            @Key
                    @Says(
                            "From its time on, the order waits until this value is not 0:"
                                    + " arithmetic with counters of switches (for counters that"
                                    + " only grow: the growth since the beginning of the phase)."
                                    + " Other orders that become due meanwhile also wait.")
                    @Otherwise("nothing")
                    @Allowed(
                            "arithmetic with counters in square brackets, such as '[s1/p1"
                                    + " pfc.xoff.sent.p3] > 0'")
                    String once,
            @Key(quantity = DELAY, min = "1ms", max = "3600s", absent = "1s")
                    @Says(
                            "With once: the maximum waiting time. After it, the run starts again on"
                                    + " a new network, at most twice; after that the order is"
                                    + " carried out in any case, and the run proves nothing"
                                    + " (INVALID).")
                    @Allowed("whole milliseconds, such as 500ms, up to 3600s")
                    long withinPs,
            @Key(pattern = "^[A-Za-z0-9_-]{1,24}/[A-Za-z0-9_-]{1,24}$")
                    @Says(
                            "The port whose pause is traced to its root, as with headgate explain"
                                    + " pause: the result is in the report, and the number of ports"
                                    + " that wait for one another is a measure, as in [max of ports"
                                    + " in a cyclic wait].")
                    @Otherwise("none")
                    @Allowed("a port of a switch, such as s1/p2")
                    String explain,
            @Key(min = "0", max = "7", example = "3")
                    @Says("With explain: the priority.")
                    @Otherwise("needed with explain")
                    @Nullable Integer priority,
            @Key(quantity = DELAY, min = "1ms", max = "3600s")
                    @Says("Duration of the capture, which replaces the 20 ms in the middle.")
                    @Allowed("whole milliseconds, such as 100ms, up to 3600s")
                    @Nullable Long capturePs,
            @Key(pattern = "^[A-Za-z0-9][A-Za-z0-9 _-]{0,31}$")
                    @Says(
                            "The name of a picture in the report: the network, and the use of its"
                                    + " links from this time until another one.")
                    @Otherwise("none")
                    @Allowed("1 to 32 letters, digits, spaces, - or _, such as with escape")
                    String picture,
            @Key(quantity = DELAY, min = "1ms", max = "3600s")
                    @Says("With picture: its end, from the start of the lab's traffic.")
                    @Otherwise("needed with picture")
                    @Allowed("a time such as 5s or 500ms, after 'at' and up to the duration")
                    long untilPs,
            @Key(quantity = DELAY, min = "10ms", max = "3600s")
                    @Says("With in-turn: the time between two of its settings, until the end.")
                    @Otherwise("none")
                    @Allowed("whole milliseconds, such as 100ms, from 10ms to 3600s")
                    long everyPs,
            @Key(min = "1")
                    @Says(
                            "Settings of a switch, applied one after the other, and then from the"
                                    + " first again.")
                    @Otherwise("none")
                    @Allowed(
                            "a list of keys with new values, such as [{p4: {rate: 1Gbps}}, {p4:"
                                    + " {rate: 2Gbps}}]")
                    @Items(
                            min = 1,
                            max = 100,
                            codec = Said.Mapping.class,
                            each = "keys with new values, such as {p4: {rate: 1Gbps}}")
                    List<Map<String, Object>> inTurn) {}

    record Expected(
            @Key(max = "100")
                    @Says(
                            "With Headgate's own cards in hosts, frames lost: anywhere between two"
                                    + " sockets; and for a lab as a whole, time stopped: the total"
                                    + " time for which pauses or missing credits stopped hosts, in"
                                    + " ms (also in measures of a phase). With RoCEv2, packets"
                                    + " repeated: packets that endpoints sent again. For a phase,"
                                    + " frames dropped: by switches, for any reason; share"
                                    + " received: payload of UDP that receivers read, in percent of"
                                    + " the payload that senders gave to their sockets; datagrams"
                                    + " received: of UDP, per second; throughput: payload that"
                                    + " receivers read, in Mb/s; frames marked congested, frames"
                                    + " marked undetermined: of UDP, in percent of the frames that"
                                    + " tshark finds on the receivers' links; and if hosts have"
                                    + " Headgate's own cards and one flow of UDP each, share lost"
                                    + " in queues: datagrams, in percent of those that came to the"
                                    + " queue, and frames lost outside queues. For both, datagrams"
                                    + " out of order: datagrams that arrived after later ones of"
                                    + " their flow. For a lab, also a name in measures.")
                    @Allowed(
                            "frames lost, datagrams out of order, time stopped, packets repeated,"
                                    + " frames dropped, share received, datagrams received, share lost"
                                    + " in queues, frames lost outside queues, throughput, frames"
                                    + " marked congested, frames marked undetermined, or a name in"
                                    + " measures")
                    String measure,
            @Key(pattern = NAME)
                    @Says(
                            "The host or the name of the flows that are measured: for all measures"
                                    + " of flows, but share lost in queues only with a host.")
                    @Otherwise("all")
                    @Allowed("a host's name, or one of traffic, such as h1")
                    String of,
            @Key(codec = Said.Formula.class, min = "0")
                    @Says("The largest value.")
                    @Otherwise("none")
                    @Allowed(
                            "a number, such as 0; for a name in measures also arithmetic with"
                                    + " measures, including those of other runs")
                    String atMost,
            @Key(codec = Said.Formula.class, min = "0")
                    @Says("The smallest value.")
                    @Otherwise("none")
                    @Allowed(
                            "a number, such as 1; for a name in measures also arithmetic with"
                                    + " measures, including those of other runs")
                    String atLeast,
            @Key(codec = Said.Formula.class, min = "0")
                    @Says("All allowed values are smaller than this.")
                    @Otherwise("none")
                    @Allowed("as at-most, such as '[none: queue]'")
                    String below,
            @Key(codec = Said.Formula.class, min = "0")
                    @Says("All allowed values are larger than this.")
                    @Otherwise("none")
                    @Allowed("as at-least, such as '[none: queue]'")
                    String above,
            @Key(absent = "false")
                    @Says(
                            "Whether it checks the control case: if it does not hold, the run"
                                    + " proves nothing (INVALID), and does not fail.")
                    boolean control,
            @Key(pattern = "^.{0,100}$")
                    @Says("The meaning if it holds: shown after PASS, each text once.")
                    @Otherwise("nothing")
                    @Allowed("up to 100 characters, such as nothing was lost")
                    String says) {
        /** Its limits; one is allowed. */
        Map<Relation, String> limits() {
            Map<Relation, String> limits = new EnumMap<>(Relation.class);
            limits.put(Relation.AT_MOST, atMost);
            limits.put(Relation.AT_LEAST, atLeast);
            limits.put(Relation.BELOW, below);
            limits.put(Relation.ABOVE, above);
            limits.values().removeIf(String::isEmpty);
            return limits;
        }

        Relation relation() {
            return limits().keySet().stream().findFirst().orElse(Relation.AT_LEAST);
        }

        String limit() {
            return limits().getOrDefault(relation(), "");
        }

        /** The key of its limit, below the entry. */
        String limitKey() {
            return "/" + Codecs.word(relation());
        }
    }
}
