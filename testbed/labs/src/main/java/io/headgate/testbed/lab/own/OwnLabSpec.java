package io.headgate.testbed.lab.own;

import io.headgate.config.PortTraffic;
import io.headgate.config.Withers;
import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.topology.Topology;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lab as a file describes it. Immutable.
 *
 * @param name the name in every output
 * @param run of a file whose parameters have several values, each a run with a network of its own:
 *     these values; else empty
 * @param capturesAll whether all frames are captured, not only those of chosen moments
 * @param warmUp what comes before all phases, and is not counted; null: nothing
 * @param phases one after the other; of a file without phases one, whose name is that of the run
 * @param twin the network and its flows as a scenario, for virtual time; empty: it has none
 * @param rdma flows of RoCEv2; their hosts have neither flows of iperf3 nor commands
 * @param probes numbered datagrams that tell outages
 * @param rerouteMs after which routers have the routes that a change of a link left
 * @param expectations what must come out of all phases together
 * @param series what is made of counters over time
 * @param derived numbers made of what phases measure
 * @param compared what must come out of these
 * @param says what it means that all that is expected holds, in words
 * @param warnings what of the file does nothing on real frames, in sentences
 */
@Withers
public record OwnLabSpec(
        String name,
        String run,
        Topology topology,
        boolean capturesAll,
        @Nullable Phase warmUp,
        List<Phase> phases,
        String twin,
        List<RdmaFlow> rdma,
        List<ProbeFlow> probes,
        long rerouteMs,
        List<LabExpectation> expectations,
        List<LabSeries> series,
        List<LabDerived> derived,
        List<LabDerived.Expected> compared,
        List<String> says,
        List<String> warnings)
        implements OwnLabSpecBuilder.With {

    private static final double MS_PER_S = 1e3;

    /** What a run in virtual time is called. */
    public static final String VIRTUAL = "virtual time";

    public OwnLabSpec {
        series = List.copyOf(series);
        derived = List.copyOf(derived);
        compared = List.copyOf(compared);
        says = List.copyOf(says);
        phases = List.copyOf(phases);
        rdma = List.copyOf(rdma);
        probes = List.copyOf(probes);
        expectations = List.copyOf(expectations);
        warnings = List.copyOf(warnings);
    }

    /** The same once more, under a name of its own, where medians of all are compared. */
    public OwnLabSpec again(int number) {
        return called((run + " run " + number).strip(), number == 1 ? twin : "", List.of());
    }

    /** The same in virtual time, which is compared by nothing. */
    public OwnLabSpec virtual() {
        return called(run.isEmpty() ? VIRTUAL : run + ", " + VIRTUAL, "", List.of());
    }

    /** Whether it is {@link #virtual}. */
    public boolean isVirtual() {
        return run.equals(VIRTUAL) || run.endsWith(", " + VIRTUAL);
    }

    private OwnLabSpec called(String name, String twin, List<LabDerived.Expected> compared) {
        return withRun(name)
                .withPhases(phases.stream().map(one -> one.withName(name)).toList())
                .withTwin(twin)
                .withCompared(compared);
    }

    /** A name as part of a file's: in lower case, hyphens for its spaces. */
    public static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** Whether its file has phases. */
    public boolean hasPhases() {
        return run.isEmpty() && namesPhases();
    }

    /** Whether its phases have names: those of the file, or the run's. */
    public boolean namesPhases() {
        return !phases.getFirst().name().isEmpty();
    }

    /** Whether hosts have cards of ours, which obey flow control and count what they lose. */
    public boolean hasCards() {
        return !topology.ports().equals(PortTraffic.NONE) || !rdma.isEmpty();
    }

    /** Whether something other than the machine may hold senders back. */
    public boolean holdsSenders() {
        return !topology.ports().toMap().getOrDefault("flow-control", "none").equals("none")
                || flows().stream().anyMatch(flow -> !flow.rateControl().isEmpty());
    }

    /** A host's name by its number, from 1. */
    public String host(int number) {
        return topology.hosts().get(number - 1).name();
    }

    /** How long all phases last together. */
    public int seconds() {
        return phases.stream().mapToInt(Phase::seconds).sum();
    }

    /** How long the shortest flow lasts; infinite where there is none. */
    public double shortestSeconds() {
        return DoubleStream.concat(
                        flows().stream().mapToDouble(Flow::seconds),
                        rdma.stream().mapToDouble(flow -> flow.durationMs() / MS_PER_S))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The flows of all phases, in their order. */
    public List<Flow> flows() {
        return phases.stream().flatMap(phase -> phase.flows().stream()).toList();
    }

    /** The commands of all phases, in their order. */
    public List<Command> commands() {
        return phases.stream().flatMap(phase -> phase.commands().stream()).toList();
    }

    /** The orders of all phases, in their order, and those before. */
    public List<Order> orders() {
        return Stream.concat(Stream.ofNullable(warmUp), phases.stream())
                .flatMap(phase -> phase.orders().stream())
                .toList();
    }

    /** Whether anything is expected at all. */
    public boolean expectsAnything() {
        return !expectations.isEmpty()
                || !compared.isEmpty()
                || phases.stream().anyMatch(phase -> !phase.expectations().isEmpty());
    }

    private List<String> phaseNames() {
        return hasPhases() ? phases.stream().map(Phase::name).toList() : List.of();
    }

    /** What a measure's name says of a series or a counter; null: nothing. */
    public LabSeries.@Nullable Of recorded(String name) {
        return LabSeries.Of.parse(name, phaseNames());
    }

    /** The counters of switches that series and measures are made of. */
    public List<String> counters() {
        Stream<String> ofSeries = series.stream().flatMap(one -> one.counters().stream());
        Stream<String> ofMeasures =
                derived.stream()
                        .flatMap(one -> one.names().stream())
                        .map(this::recorded)
                        .filter(of -> of != null && of.isOfCounter())
                        .map(LabSeries.Of::of);
        Stream<String> ofOrders =
                orders().stream()
                        .map(Order::once)
                        .filter(Objects::nonNull)
                        .flatMap(once -> once.counters().stream());
        return Stream.of(ofSeries, ofMeasures, ofOrders)
                .flatMap(names -> names)
                .distinct()
                .toList();
    }

    /** The counters that measures count from a time on. */
    public List<String> countersFromATime() {
        return derived.stream()
                .flatMap(one -> one.names().stream())
                .map(this::recorded)
                .filter(of -> of != null && of.isOfCounter() && of.fromUs() > 0)
                .map(LabSeries.Of::of)
                .distinct()
                .toList();
    }

    /** What a measure's name says, in its file; null: nothing. */
    public LabMeasure.@Nullable Of measure(String name) {
        List<String> hosts = topology.hosts().stream().map(Topology.Host::name).toList();
        List<String> names =
                Stream.concat(flows().stream().map(Flow::name), rdma.stream().map(RdmaFlow::name))
                        .filter(one -> !one.isEmpty())
                        .toList();
        return LabMeasure.Of.parse(name, phaseNames(), hosts, names);
    }

    /** Whether anything is expected of a measure of a phase, or made of it. */
    public boolean measures(LabMeasure measure) {
        return phases.stream()
                        .flatMap(phase -> phase.expectations().stream())
                        .anyMatch(one -> one.measure() == measure)
                || derived.stream()
                        .flatMap(one -> one.names().stream())
                        .map(this::measure)
                        .anyMatch(one -> one != null && one.measure() == measure);
    }

    /** Whether marks of frames are measured. */
    public boolean measuresMarks() {
        return measures(LabMeasure.MARKED_CONGESTED) || measures(LabMeasure.MARKED_UNDETERMINED);
    }

    /** Whether anything is expected of a measure of all phases together. */
    public boolean expects(LabMeasure measure) {
        return expectations.stream().anyMatch(one -> one.measure() == measure);
    }

    /**
     * The traffic, commands and orders that run at the same time.
     *
     * @param name short, for tables and file names
     * @param seconds of traffic and commands together
     * @param flows that iperf3 sends
     * @param commands run at hosts
     * @param orders that change switches and links, by time
     * @param expectations what must come out of this phase alone
     */
    @Withers
    public record Phase(
            String name,
            int seconds,
            List<Flow> flows,
            List<Command> commands,
            List<Order> orders,
            List<LabExpectation> expectations)
            implements OwnLabSpecPhaseBuilder.With {
        public Phase {
            flows = List.copyOf(flows);
            commands = List.copyOf(commands);
            orders = List.copyOf(orders);
            expectations = List.copyOf(expectations);
        }

        /** The name as part of a file's. */
        public String word() {
            return OwnLabSpec.word(name);
        }

        /** The name in tables and lines: of a file without phases "traffic". */
        public String shown() {
            return name.isEmpty() ? "traffic" : name;
        }

        /** The protocol of its flows, or of the first where they have several. */
        public Protocol protocol() {
            return flows.isEmpty() ? Protocol.TCP : flows.getFirst().protocol();
        }

        public int mostToOne() {
            return flows.stream().mapToInt(flow -> sendersTo(flow.to())).max().orElse(0);
        }

        private int sendersTo(int receiver) {
            return (int)
                    flows.stream()
                            .filter(flow -> flow.to() == receiver)
                            .mapToInt(Flow::from)
                            .distinct()
                            .count();
        }

        /**
         * For people, such as {@code UDP incast: h1→h4 h2→h4 at 50 Mb/s each, 5 s}.
         *
         * @param nameOf a host by its number, from 0
         */
        public String describe(IntFunction<String> nameOf) {
            boolean alike =
                    flows.stream().allMatch(flow -> flow.rateBps() == flows.getFirst().rateBps());
            StringBuilder text = new StringBuilder(shown()).append(':');
            for (Flow flow : flows) {
                text.append(' ').append(nameOf.apply(flow.from()));
                text.append('→').append(nameOf.apply(flow.to()));
                if (!alike) {
                    text.append(" at ").append(Numbers.rate((double) flow.rateBps()));
                }
            }
            if (protocol() == Protocol.UDP && alike) {
                long each = flows.getFirst().rateBps();
                text.append(" at ").append(Numbers.rate((double) each)).append(" each");
            }
            return text.append(flows.isEmpty() ? " " : ", ")
                    .append(seconds)
                    .append(" s")
                    .toString();
        }

        /**
         * Whether no flow before has the same ends.
         *
         * @param number of a flow, from 0
         */
        public boolean isFirstOfItsEnds(int number) {
            Flow flow = flows.get(number);
            return flows.subList(0, number).stream()
                    .noneMatch(one -> one.from() == flow.from() && one.to() == flow.to());
        }
    }

    /**
     * A flow of iperf3.
     *
     * @param name by which measures are asked for; empty: none
     * @param from the sender's number, from 0
     * @param to the receiver's
     * @param rateBps of UDP; 0 with TCP
     * @param startMs after the beginning of its phase
     * @param seconds that it lasts
     * @param tos type of service byte of its packets: DSCP and ECN
     * @param socketBytes what both its sockets are asked to hold; 0: as the kernel has it
     * @param tcpControl TCP's congestion control; empty: the kernel's
     * @param burst datagrams of UDP that are sent one right after another; 0: they are spread
     *     evenly
     * @param rateControl by which the sender's card lets it send, as a host's configuration has it;
     *     empty: none
     */
    @Withers
    public record Flow(
            String name,
            int from,
            int to,
            Protocol protocol,
            long rateBps,
            long startMs,
            int seconds,
            int tos,
            int socketBytes,
            String tcpControl,
            int burst,
            String rateControl)
            implements OwnLabSpecFlowBuilder.With {
        public double startSeconds() {
            return startMs / MS_PER_S;
        }
    }

    /**
     * A command of the shell.
     *
     * @param host the number of the host that runs it, from 0
     * @param line what {@code sh -c} is given
     * @param startMs after the beginning of its phase
     * @param isService whether it runs until the lab ends it, started before everything else
     */
    public record Command(int host, String line, long startMs, boolean isService) {}

    /**
     * An order: a change of the lab while it runs.
     *
     * @param atMs after the beginning of its phase
     * @param words what a person sees of it; empty: it is one of many in turn
     * @param steps what it changes; nothing where those in turn follow
     * @param once what it waits for; null: nothing
     * @param explained the port whose pause is followed to its root; null: no pause is followed
     * @param captureMs for how long frames are captured; 0: they are not
     * @param picture of what follows; null: none
     */
    public record Order(
            long atMs,
            String words,
            List<Step> steps,
            @Nullable Once once,
            @Nullable Paused explained,
            long captureMs,
            @Nullable Picture picture) {
        public Order {
            steps = List.copyOf(steps);
        }

        Order(long atMs, String words, List<Step> steps) {
            this(atMs, words, steps, null);
        }

        /** The same, once something holds. */
        public Order(long atMs, String words, List<Step> steps, @Nullable Once once) {
            this(atMs, words, steps, once, null, 0, null);
        }
    }

    /**
     * A picture of the network's use between two moments.
     *
     * @param name among those of the lab
     * @param fromMs after the beginning of its phase
     */
    public record Picture(String name, long fromMs, long untilMs) {}

    /**
     * The condition that an order waits for.
     *
     * @param holds arithmetic with counters of switches; of one that only grows, its growth since
     *     the phase began
     * @param withinMs after which the order is carried out in any case, and the run shows nothing
     */
    public record Once(String holds, long withinMs) {
        /** The counters that it is made of. */
        public List<String> counters() {
            return Objects.requireNonNull(Arithmetic.measures(holds));
        }
    }

    /**
     * A port whose frames of a priority may be paused.
     *
     * @param node the switch's name in the topology
     */
    public record Paused(String node, String port, int priority) {}

    /**
     * The settings for one switch.
     *
     * @param node its name in the topology
     * @param assignments as {@code headgate set} takes them; empty: {@code set} has all
     */
    public record Step(String node, List<String> assignments, Map<String, Object> set) {
        public Step {
            assignments = List.copyOf(assignments);
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }
    }
}
