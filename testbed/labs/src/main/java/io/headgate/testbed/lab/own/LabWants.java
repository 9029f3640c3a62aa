package io.headgate.testbed.lab.own;

import io.headgate.config.PortTraffic;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Check.Relation;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the measures and expectations of a lab, for its phases and as a whole. */
final class LabWants {
    private final YamlConfig yaml;
    private final LabFile said;
    private final List<String> hosts;
    private final List<String> flows;
    private final Set<String> switches;
    private final boolean hasCards;
    private final Runs runs;

    /** What is expected of all phases together. */
    final List<LabExpectation> expected = new ArrayList<>();

    /** Those of the file's numbers that were read. */
    private final List<LabDerived> derived = new ArrayList<>();

    /** What is expected of these. */
    final List<LabDerived.Expected> compared = new ArrayList<>();

    /**
     * The runs of a file whose parameters have several values.
     *
     * @param known names of all that it could have; empty: it has one
     * @param chosen those that it has
     */
    record Runs(Set<String> known, Set<String> chosen) {
        Runs {
            known = Set.copyOf(known);
            chosen = Set.copyOf(chosen);
        }
    }

    LabWants(YamlConfig yaml, LabFile said, Topology topology, Runs runs) {
        this.yaml = yaml;
        this.said = said;
        this.runs = runs;
        this.hosts = topology.hosts().stream().map(Topology.Host::name).toList();
        this.flows = flows();
        this.switches =
                topology.switches().stream()
                        .map(Topology.Switch::name)
                        .collect(Collectors.toUnmodifiableSet());
        this.hasCards = !topology.ports().equals(PortTraffic.NONE);
    }

    private boolean hasRdma() {
        return said.what().traffic().stream()
                .anyMatch(one -> one.protocol() == LabTraffic.Protocol.RDMA);
    }

    /** The names of all flows that have one. */
    private List<String> flows() {
        List<String> names = new ArrayList<>();
        addNames("", said.what(), names);
        for (int i = 0; i < said.phases().size(); i++) {
            addNames("/phases/" + i, said.phases().get(i).what(), names);
        }
        return names;
    }

    private void addNames(String at, LabFile.What what, List<String> names) {
        for (int i = 0; i < what.traffic().size(); i++) {
            String name = what.traffic().get(i).name();
            if (hosts.contains(name)) {
                yaml.refuse(at + "/traffic/" + i + "/name", "the name of a host", "another name");
            }
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
    }

    /** What it means that all that is expected holds, in the file's words, each once. */
    List<String> says() {
        return Stream.concat(
                        said.phases().stream().map(LabFile.Phase::what), Stream.of(said.what()))
                .flatMap(what -> what.expect().stream())
                .map(LabFile.Expected::says)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    /** What is expected of a phase. */
    List<LabExpectation> ofPhase(String at, LabFile.Phase phase) {
        List<LabExpectation> all = new ArrayList<>();
        for (int i = 0; i < phase.what().expect().size(); i++) {
            String item = at + "/expect/" + i;
            LabExpectation one = expectation(item, phase.what().expect().get(i));
            if (one == null) {
                continue;
            }
            all.add(one);
            if (!one.measure().isOfPhases()) {
                yaml.refuse(
                        item,
                        one.measure().word() + " of a phase",
                        "expectations for all phases in the lab's expect");
            } else if (one.measure().needsCards() && !hasCards) {
                refuseWithoutCards(item);
            }
        }
        return all;
    }

    /** Refuses what no flow of a phase tells. */
    void check(String at, List<LabExpectation> of, List<OwnLabSpec.Flow> flows) {
        boolean hasUdp = flows.stream().anyMatch(flow -> flow.protocol() == Protocol.UDP);
        for (LabExpectation one : of) {
            if (one.measure().needsUdp() && !hasUdp) {
                yaml.refuse(
                        at + "/expect",
                        one.measure().word() + " without traffic of UDP",
                        "traffic with protocol: udp and a rate");
            }
        }
    }

    /** Refuses numbers made of what no flow of a phase tells. */
    void check(List<OwnLabSpec.Phase> phases, List<String> names) {
        for (int number = 0; number < derived.size(); number++) {
            for (String name : derived.get(number).names()) {
                LabMeasure.Of of = LabMeasure.Of.parse(name, names, hosts, flows);
                if (of != null
                        && of.measure().needsUdp()
                        && !hasUdp(phases.get(of.phase()), of.of())) {
                    yaml.refuse(
                            "/measures/" + number + "/value",
                            YamlConfig.quote(name) + " without traffic of UDP",
                            "traffic with protocol: udp and a rate");
                }
            }
        }
    }

    private boolean hasUdp(OwnLabSpec.Phase phase, String of) {
        return phase.flows().stream()
                .filter(flow -> flow.protocol() == Protocol.UDP)
                .anyMatch(flow ->
                        of.isEmpty()
                                || hosts.get(flow.from()).equals(of)
                                || flow.name().equals(of));
    }

    /**
     * Reads what is measured and expected of the lab as a whole.
     *
     * @param phases names of its phases; empty: it has none of its own
     * @return what is expected of the one phase of a lab without phases
     */
    List<LabExpectation> ofLab(List<String> phases) {
        for (int i = 0; i < said.series().size(); i++) {
            check("/series/" + i, said.series().get(i), said.series().subList(0, i));
        }
        for (int i = 0; i < said.measures().size(); i++) {
            String at = "/measures/" + i;
            LabDerived one = said.measures().get(i);
            checkArithmetic(at + "/value", one.value(), phases, false);
            if (named(one.name()) != null) {
                yaml.refuse(
                        at + "/name", "a second " + YamlConfig.quote(one.name()), "another name");
            }
            derived.add(one);
        }
        List<LabExpectation> ofPhase = new ArrayList<>();
        for (int i = 0; i < said.what().expect().size(); i++) {
            String at = "/expect/" + i;
            LabFile.Expected said = this.said.what().expect().get(i);
            LabDerived own = named(said.measure());
            if (own != null) {
                checkLimits(at, said);
                if (checkArithmetic(at + said.limitKey(), said.limit(), phases, true)) {
                    compared.add(
                            new LabDerived.Expected(
                                    own, said.relation(), said.limit(), said.control()));
                }
                continue;
            }
            LabExpectation one = expectation(at, said);
            if (one != null) {
                add(at, one, !phases.isEmpty(), ofPhase);
            }
        }
        return ofPhase;
    }

    private void check(String at, LabSeries one, List<LabSeries> before) {
        List<String> names = Arithmetic.measures(one.value());
        if (names == null) {
            yaml.refuse(at + "/value");
            return;
        }
        for (String name : names) {
            if (!LabSeries.isCounter(name, switches)) {
                refuseCounter(at + "/value", name);
            }
        }
        boolean isTaken =
                one.name().startsWith(LabSeries.SENT)
                        || one.name().equals(LabSeries.CYCLIC_WAIT)
                        || LabMeasure.of(one.name()) != null;
        if (isTaken || isAmong(before, one.name())) {
            yaml.refuse(at + "/name", "a second " + YamlConfig.quote(one.name()), "another name");
        }
    }

    private void refuseCounter(String at, String name) {
        refuseCounter(yaml, at, name, switches);
    }

    /** Refuses a counter that no switch has. */
    static void refuseCounter(YamlConfig yaml, String at, String name, Set<String> switches) {
        yaml.refuse(
                at,
                "no counter of a switch " + YamlConfig.quote(name),
                "counters of "
                        + String.join(", ", switches.stream().sorted().toList())
                        + " by place and label, such as [s1/p4 queue.bytes]");
    }

    private static boolean isAmong(List<LabSeries> series, String name) {
        return series.stream().anyMatch(one -> one.name().equals(name));
    }

    /** Whether a name is of something recorded; what of it is not there is refused. */
    private boolean isRecorded(String at, String name, List<String> phases) {
        LabSeries.Of of = LabSeries.Of.parse(name, phases);
        if (of == null) {
            return false;
        }
        if (of.isOfCounter()) {
            if (!LabSeries.isCounter(of.of(), switches)) {
                refuseCounter(at, of.of());
            }
            return true;
        }
        String whose =
                of.of().startsWith(LabSeries.SENT)
                        ? of.of().substring(LabSeries.SENT.length())
                        : "";
        if (of.of().equals(LabSeries.CYCLIC_WAIT)) {
            LabFile.What what =
                    phases.isEmpty() ? said.what() : said.phases().get(of.phase()).what();
            if (what.orders().stream().allMatch(order -> order.explain().isEmpty())) {
                yaml.refuse(
                        at,
                        LabSeries.CYCLIC_WAIT + " without an order that explains a pause",
                        "an order such as {at: 5s, explain: s1/p2, priority: 3}");
            }
            return true;
        }
        if (!isAmong(said.series(), of.of()) && !hosts.contains(whose) && !flows.contains(whose)) {
            yaml.refuse(
                    at,
                    "no series " + YamlConfig.quote(of.of()),
                    "a name in series: "
                            + String.join(
                                    ", ", said.series().stream().map(LabSeries::name).toList())
                            + "; or sent with a host or a name of traffic, such as sent h1");
        }
        return true;
    }

    private void add(
            String at, LabExpectation one, boolean hasPhases, List<LabExpectation> ofPhase) {
        LabMeasure measure = one.measure();
        if (measure.isOfLabs() && hasCards) {
            expected.add(one);
        } else if (measure.needsCards() && !hasCards) {
            refuseWithoutCards(at);
        } else if (hasPhases) {
            yaml.refuse(
                    at,
                    measure.word() + " of all phases",
                    "expectations for a phase in its own expect");
        } else {
            ofPhase.add(one);
        }
    }

    private void refuseWithoutCards(String at) {
        yaml.refuse(
                at,
                "expectations of hosts without Headgate's own cards",
                "expect in a lab whose topology.ports has queues, priorities or flow control");
    }

    private @Nullable LabDerived named(String name) {
        return derived.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    }

    /**
     * Refuses names that say nothing.
     *
     * @param isLimit whether measures of other runs may be named
     * @return whether all of it is measured: not where it is of a run that was not asked for
     */
    private boolean checkArithmetic(String at, String text, List<String> phases, boolean isLimit) {
        List<String> names = Arithmetic.measures(text);
        if (names == null) {
            yaml.refuse(at);
            return false;
        }
        boolean isMeasured = true;
        for (String name : names) {
            int colon = name.indexOf(": ");
            String run = colon < 0 ? "" : name.substring(0, colon);
            boolean isOfRun = isLimit && runs.known().contains(run);
            isMeasured &= !isOfRun || runs.chosen().contains(run);
            String rest = isOfRun ? name.substring(colon + 2) : name;
            if (named(rest) == null
                    && !isRecorded(at, rest, phases)
                    && LabMeasure.Of.parse(rest, phases, hosts, flows) == null) {
                yaml.refuse(
                        at,
                        "no measure " + YamlConfig.quote(name),
                        "an earlier name in measures, or "
                                + (phases.isEmpty()
                                        ? "MEASURE or MEASURE of HOST"
                                        : "PHASE: MEASURE or PHASE: MEASURE of HOST")
                                + ", also of a name of traffic, with one of "
                                + LabMeasure.words()
                                + ", or a number of a series, as in mean of NAME from 2s"
                                + (isLimit && !runs.known().isEmpty()
                                        ? ", also of a run, as in RUN: MEASURE"
                                        : ""));
            }
        }
        return isMeasured;
    }

    private void checkLimits(String at, LabFile.Expected said) {
        if (said.limits().size() != 1) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
        }
    }

    private @Nullable LabExpectation expectation(String at, LabFile.Expected said) {
        checkLimits(at, said);
        String word = said.measure();
        LabMeasure measure = LabMeasure.of(word);
        if (measure == null) {
            yaml.refuse(
                    at + "/measure",
                    YamlConfig.quote(word),
                    LabMeasure.words() + ", or of a lab a name in its measures");
            return null;
        }
        if (measure == LabMeasure.PACKETS_REPEATED && !hasRdma()) {
            yaml.refuse(
                    at + "/measure",
                    measure.word() + " without traffic of RoCEv2",
                    "traffic with protocol: rdma");
        }
        String of = said.of();
        if (!of.isEmpty() && !measure.isOf(of, hosts, flows)) {
            yaml.refuse(
                    at + "/of",
                    !measure.isOfFlows()
                            ? measure.word() + " of a host"
                            : flows.contains(of)
                                    ? measure.word() + " of traffic by its name"
                                    : "no host " + YamlConfig.quote(of),
                    measure.isOfFlows()
                            ? "hosts of the topology: "
                                    + String.join(", ", hosts)
                                    + (flows.isEmpty() || !measure.isOfNames()
                                            ? ""
                                            : "; names of traffic: " + String.join(", ", flows))
                            : "no of with it");
        }
        Double value = said.limit().isEmpty() ? null : Arithmetic.value(said.limit());
        if (value == null || value < 0) {
            if (!said.limit().isEmpty()) {
                yaml.refuse(at + said.limitKey());
            }
            return null;
        }
        if (value == 0 && said.relation() == Relation.BELOW) {
            yaml.refuse(at + said.limitKey(), "0, below which is nothing", "a number above 0");
        }
        return new LabExpectation(measure, of, said.relation(), value, said.control());
    }
}
