package io.headgate.testbed.scenario.file;

import static io.headgate.config.key.Quantity.DELAY;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.Mechanisms;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.config.read.RateControlKey;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.Collective.Algorithm;
import io.headgate.testbed.traffic.spec.Collective.Kind;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry of {@code traffic}, from which {@link TrafficReader} makes flows. */
record TrafficEntry(
        @Key(pattern = NAME)
                @Says(
                        "Name of these flows in results; entries with the same name are counted"
                                + " together.")
                @Allowed("1 to 32 letters, digits, - or _, such as web")
                String name,
        @Key(pattern = HOST)
                @Says("Hosts that send.")
                @Otherwise("flows or collective")
                @Allowed(HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = HOST_ALLOWED)
                List<String> from,
        @Key(pattern = HOST)
                @Says(
                        "Hosts that receive: one flow to each of them, or with arrivals, one random"
                                + " host per flow; permutation: each host of from sends to another"
                                + " one of them, chosen once at random.")
                @Otherwise("flows or collective")
                @Allowed(HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = HOST_ALLOWED)
                List<String> to,
        @Key(max = "400")
                @Says(
                        "Instead of from and to: a file of flows, one per line, with the columns"
                                + " start, source, destination, bytes, priority, depends-on.")
                @Otherwise("from and to")
                @Allowed(
                        "a file of lines such as 10us,h1,h4,64000,3, below"
                                + " start,source,destination,bytes,priority, such as flows.csv")
                @Nullable String flows,
        @Key(quantity = SIZE, min = "80B", max = "9014B", absent = "1514B", example = "1514B")
                @Says(
                        "Length of frames without FCS: at most the topology's mtu plus 14 bytes,"
                                + " which is also the default if it is smaller.")
                int frameBytes,
        @Key(absent = "udp") @Says("The format of the frames.") FrameShape.Format format,
        @Key(absent = "none")
                @Says(
                        "rocev2: each flow is a reliable connection with acknowledged messages;"
                                + " lost packets and all later ones are sent again (go-back-N)."
                                + " selective: the same, but only lost packets are sent again, and"
                                + " packets may arrive reordered. With both, frames are RoCEv2,"
                                + " and size counts payload.")
                Transport transport,
        @Key(unit = "packets", min = "1", max = "65536", absent = "3")
                @Says(
                        "With transport: selective. A packet counts as lost when a packet that was"
                                + " sent this many packets later has arrived.")
                int reordering,
        @Key
                @Says(
                        "Whether all flows between two hosts are messages on one connection, which"
                                + " keeps its rate control state between flows; with arrivals that"
                                + " have sleep. Each pair of hosts then has one connection. In"
                                + " virtual time only.")
                @Otherwise("new")
                @Beds(real = "refused: only virtual time has it")
                @Nullable Connection connection,
        @Key(absent = "send") @Says("The verb of messages, with transport: rocev2.") Verb verb,
        @Key(quantity = SIZE, min = "1B", max = "1GB", absent = "65536B", example = "65536B")
                @Says("Payload of each message except a flow's last one, with transport: rocev2.")
                int messageBytes,
        @Key(absent = "elided")
                @Says(
                        "Whether frames are stored whole with a correct ICRC, for captures; with"
                                + " transport: rocev2, in virtual time.")
                @Beds(real = "refused: only virtual time has it")
                Payload payload,
        @Key(min = "0", max = "7", example = "3")
                @Says("The priority in the tag of frames, for ports that classify by tag.")
                @Otherwise("no tag")
                @Nullable Integer priority,
        @Key(min = "0", max = "63", absent = "0", example = "26")
                @Says(
                        "Differentiated services code point of frames, for ports that classify by"
                                + " it.")
                int dscp,
        @Key(min = "1", max = "65535", example = "5000")
                @Says("UDP source port of frames, for policies and hashes that use it.")
                @Otherwise("one per flow, from 49152 on")
                @Nullable Integer sourcePort,
        @Key(absent = "none")
                @Says(
                        "The ECN code point that frames start with; only those of an ECN-capable"
                                + " transport are marked.")
                Ecn ecn,
        @Key(codec = RateControlKey.class) @Says(RateControlKey.SAYS)
                Mechanisms.@Nullable Use control,
        @Key(quantity = SIZE, min = "1B", max = "1000GB", example = "1MB")
                @Says("Size of each flow.")
                @Otherwise("no end")
                long sizeBytes,
        @Key(unit = "frames", min = "1", max = "1000000000", example = "200")
                @Says("Number of frames of each flow; instead of size.")
                @Otherwise("no end")
                int count,
        @Key(unit = "frames", min = "0", max = "1048576", example = "64")
                @Says(
                        "Maximum number of unacknowledged frames of a flow; 0: frames are not"
                                + " acknowledged, and lost frames are not repeated.")
                @Otherwise("0, but 1048576 with a control that uses acknowledgements")
                @Nullable Integer window,
        @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s", example = "1ms")
                @Says("Beginning of the traffic.")
                long startPs,
        @Key(quantity = DELAY, min = "0s", max = "1000s", example = "5ms")
                @Says("End of the traffic.")
                @Otherwise("the run's end")
                @Nullable Long stopPs,
        @Key @Otherwise("greedy") Send send,
        @Key
                @Says(
                        "A collective operation of a training job, instead of from and to: flows"
                                + " that wait for one another; each rank's vector has the entry's"
                                + " size. Needs acknowledgements.")
                @Otherwise("from and to")
                @Allowed(
                        "a mapping with kind, such as {kind: all-reduce, algorithm: ring, ranks:"
                                + " all}")
                @Nullable Collective collective,
        @Key
                @Says(
                        "Instead of one flow per pair: several flows per host of from, each with a"
                                + " random host of to and a random start time.")
                @Otherwise("one flow per pair")
                @Allowed("a mapping, such as {flows: 40, within: 1ms}")
                @Nullable Scatter scatter,
        @Key
                @Says(
                        "Instead of one flow per pair: repeated groups of flows from several random"
                                + " hosts of from to one random host of to, all at the same time"
                                + " and with the entry's size.")
                @Otherwise("one flow per pair")
                @Allowed("a mapping, such as {every: 500us, senders: 16}")
                @Nullable Incast incast,
        @Key(min = "0", max = "9007199254740991", absent = "1")
                @Says(
                        "Seed of a permutation, of an incast's hosts and of scattered flows,"
                                + " together with the name (for scattered flows, the file's name);"
                                + " $seed: different ones for each seed.")
                @Allowed("a whole number, such as 7, or $seed")
                long draw,
        @Key @Otherwise("all flows exist from the start") @Nullable Arrivals arrivals) {

    static final String HOST = "^[A-Za-z0-9_-]{1,24}$";

    static final String HOST_ALLOWED = "a host's name, such as h1";
    static final String HOSTS_ALLOWED = "a host, a list of hosts, or all, such as h1 or [h1, h2]";

    static final String NAME = "^[A-Za-z0-9_-]{1,32}$";

    /** Whether messages are acknowledged, and which packets are sent again. */
    enum Transport {
        NONE,
        ROCEV2,
        SELECTIVE
    }

    enum Connection {
        NEW,
        KEPT
    }

    enum Payload {
        ELIDED,
        STORED
    }

    enum Ecn {
        NONE,
        ECT0,
        ECT1
    }

    @Named(
            says =
                    "When the frames of a flow are due: greedy, at a rate, in bursts (rate, on,"
                            + " off), or as a Poisson process.",
            allowed =
                    "greedy, {rate: 1Gbps}, {rate: 10Gbps, on: 10us, off: 30us} or {poisson:"
                            + " 1Gbps}",
            min = 1,
            word = "greedy")
    record Send(
            @Key(quantity = RATE, min = "1kbps", max = "400Gbps", example = "1Gbps")
                    @Says("Rate on the wire, including preamble, FCS and gap.")
                    @Otherwise("poisson")
                    long rateBps,
            @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "10us")
                    @Says("Length of a burst, or the mean length.")
                    @Otherwise("no bursts")
                    long onPs,
            @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "30us")
                    @Says("Time between two bursts, or the mean time.")
                    @Otherwise("no bursts")
                    long offPs,
            @Key(absent = "made-up")
                    @Says(
                            "With rate: whether frames that were due while the card accepted none"
                                    + " are sent later (made-up) or not at all (forgone).")
                    SendPattern.Lateness late,
            @Key(absent = "false") @Says("Whether on and off are exponentially distributed.")
                    boolean random,
            @Key(quantity = SIZE, min = "80B", max = "9014B", example = "100B")
                    @Says(
                            "With poisson: random lengths of frames without FCS, from the first to"
                                    + " the second size.")
                    @Otherwise("all frames have the length in frame")
                    @Allowed("two sizes, such as [100B, 1500B]")
                    @Items(min = 2, max = 2, each = "a size such as 100B, from 80B to 9014B")
                    List<Long> frames,
            @Key(quantity = RATE, min = "1kbps", max = "400Gbps", example = "500Mbps")
                    @Says(
                            "Mean rate on the wire of single frames at exponentially distributed"
                                    + " intervals.")
                    @Otherwise("rate")
                    long poissonBps) {}

    record Collective(
            @Key @Says("The collective operation; in a pipeline each rank sends to the next.")
                    Kind kind,
            @Key
                    @Says(
                            "ring or halving-doubling (needs a power of two ranks); for all-to-all,"
                                    + " at-once or shift.")
                    @Otherwise("ring; at-once of all-to-all")
                    @Allowed("ring or halving-doubling; of all-to-all at-once or shift")
                    @Nullable Algorithm algorithm,
            @Key(pattern = HOST, absent = "all")
                    @Says("Hosts in the order of their ranks.")
                    @Allowed("a list of two hosts or more, or all, such as [h1, h2]")
                    @Items(min = 2, max = 10000, orOne = true, each = HOST_ALLOWED)
                    List<String> ranks,
            @Key(min = "1", max = "1000", absent = "1", example = "4")
                    @Says(
                            "Number of chunks of a vector, each with its own flows; for a pipeline,"
                                    + " number of sends per stage.")
                    int chunks,
            @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s", example = "10us")
                    @Says(
                            "Time that a rank computes before it forwards received data: a sum, or"
                                    + " a stage of a pipeline.")
                    long computePs,
            @Key(pattern = NAME)
                    @Says(
                            "Names of earlier entries: a rank begins when it has received all its"
                                    + " data of these entries.")
                    @Allowed("a name of traffic, or a list of names, such as forward")
                    @Items(max = 100, orOne = true, each = "a name of traffic, such as forward")
                    List<String> after) {}

    record Scatter(
            @Key(unit = "flows", min = "1", max = "100000", example = "40")
                    @Says("Number of flows per host.")
                    int flows,
            @Key(quantity = DELAY, min = "0s", max = "1000s", example = "1ms")
                    @Says("Each one begins at start plus a random time below this.")
                    long withinPs,
            @Key(unit = "hosts", min = "1", max = "10000", absent = "1", example = "4")
                    @Says(
                            "Size of groups of hosts in the topology's order, such as pods: no host"
                                    + " sends to its own group.")
                    int apart) {}

    record Incast(
            @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "500us")
                    @Says("Time between two incasts.")
                    long everyPs,
            @Key(unit = "hosts", min = "1", max = "10000", example = "16")
                    @Says("Number of hosts that send at a time.")
                    int senders) {}

    @Named(
            says =
                    "Flows that begin one after the other, instead of one that exists from the"
                            + " start: by load, at an interval (every), or with a pause after each"
                            + " flow (sleep).",
            allowed =
                    "one of load, every and sleep, and one of size, workload and cdf, such as"
                            + " {load: 0.5, workload: websearch_hpcc}",
            min = 2)
    record Arrivals(
            @Key(
                            min = "0.0001",
                            max = "1",
                            pattern =
                                    "^(?![0.]+ ?%)(100(\\.0{0,20})?|[0-9]{1,2}(\\.[0-9]{0,20})?)"
                                            + " ?%$")
                    @Says(
                            "Share of the sender's link that the flows use: Poisson arrivals, or"
                                    + " with closed: true, one flow at a time.")
                    @Otherwise("every or sleep")
                    @Allowed("a number from 0.0001 to 1, such as 0.5, or a percentage such as 50%")
                    double load,
            @Key(absent = "false")
                    @Says(
                            "With load: whether a source sends one flow at a time and sleeps"
                                    + " between two, for a time that gives the load if flows are"
                                    + " not delayed.")
                    boolean closed,
            @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "1ms")
                    @Says("Time between two.")
                    @Otherwise("load or sleep")
                    long everyPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s", example = "10us")
                    @Says("Each flow is delayed by a random time below this.")
                    long jitterPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s", example = "100us")
                    @Says(
                            "Mean of the exponentially distributed time between the end of a flow"
                                    + " and the next one.")
                    @Otherwise("load or every")
                    @Nullable Long sleepPs,
            @Key(quantity = SIZE, min = "1B", max = "1000GB", example = "64kB")
                    @Says("The size of each flow.")
                    @Otherwise("workload or cdf")
                    long sizeBytes,
            @Key(codec = Cdf.class)
                    @Says(
                            "Random sizes from your own distribution: a file with lines of a size"
                                    + " and the probability of sizes up to it, or such points here."
                                    + " Between two points all sizes are equally likely.")
                    @Otherwise("size or workload")
                    @Allowed(
                            "a file of lines such as 1000,0.5, or points such as [[1kB, 0.5],"
                                    + " [10kB, 1]]: sizes that grow, probabilities that do not fall and"
                                    + " end with 1")
                    @Nullable Object cdf,
            @Key(pattern = NAME)
                    @Says("Random sizes from a published distribution.")
                    @Otherwise("size or cdf")
                    @Allowed("the name of a distribution, such as websearch_hpcc")
                    @Nullable String workload) {}

    /** The name of a file, or points. */
    static final class Cdf implements Codec<Object> {
        @Override
        public Map<String, Object> schema() {
            return Said.schema(
                    """
                    {"type": ["string", "array"], "minItems": 1, "maxItems": 10000,
                     "minLength": 1, "maxLength": 400, "items":
                      {"type": "array", "minItems": 2, "maxItems": 2,
                       "x-allowed": "a size and a probability, such as [1kB, 0.5]"}}
                    """);
        }

        @Override
        public @Nullable Object read(Place place, Known known) {
            return place.said();
        }

        @Override
        public Object write(Object value, Known known) {
            return value;
        }

        @Override
        public Object nothing() {
            return "";
        }
    }
}
