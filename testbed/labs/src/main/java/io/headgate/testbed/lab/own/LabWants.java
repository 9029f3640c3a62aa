package io.headgate.testbed.lab.own;

import io.headgate.config.PortTraffic;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a lab measures and expects, of its phases and as a whole. */
final class LabWants {
    private final YamlConfig yaml;
    private final List<String> hosts;
    private final boolean hasCards;

    /** What is expected of all phases together. */
    private final List<LabExpectation> expected = new ArrayList<>();

    /** Numbers made of measured ones, and what is expected of them. */
    private final List<LabDerived> derived = new ArrayList<>();

    private final List<LabDerived.Expected> compared = new ArrayList<>();

    LabWants(YamlConfig yaml, Topology topology) {
        this.yaml = yaml;
        this.hosts = topology.hosts().stream().map(Topology.Host::name).toList();
        this.hasCards = !topology.ports().equals(PortTraffic.NONE);
    }

    List<LabExpectation> expected() {
        return expected;
    }

    List<LabDerived> derived() {
        return derived;
    }

    List<LabDerived.Expected> compared() {
        return compared;
    }

    /** What is expected of a phase: the list at its place. */
    List<LabExpectation> ofPhase(String at) {
        List<LabExpectation> all = new ArrayList<>();
        for (String item : yaml.items(at + "/expect")) {
            LabExpectation one = expectation(item);
            if (one == null) {
                continue;
            }
            all.add(one);
            if (!one.measure().isOfPhases()) {
                yaml.refuse(
                        item,
                        one.measure().word() + " of a phase",
                        "what is expected of all phases in the lab's expect");
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
            if (one.measure().isOfHosts() && one.measure() != LabMeasure.OUT_OF_ORDER && !hasUdp) {
                yaml.refuse(
                        at + "/expect",
                        one.measure().word() + " where no UDP is sent",
                        "traffic with protocol: udp and a rate");
            }
        }
    }

    /**
     * Reads what is measured and expected of the lab as a whole.
     *
     * @param phases names of its phases; empty: it has none of its own
     * @return what is expected of the one phase of a lab without phases
     */
    List<LabExpectation> ofLab(List<String> phases) {
        for (String at : yaml.items("/measures")) {
            LabDerived one =
                    new LabDerived(
                            yaml.text(at + "/name", ""),
                            yaml.text(at + "/unit", ""),
                            text(at + "/value"));
            checkArithmetic(at + "/value", one.value(), phases);
            if (named(one.name()) != null) {
                yaml.refuse(
                        at + "/name", "a second " + YamlConfig.quote(one.name()), "another name");
            }
            derived.add(one);
        }
        List<LabExpectation> ofPhase = new ArrayList<>();
        for (String at : yaml.items("/expect")) {
            LabDerived own = named(yaml.text(at + "/measure", ""));
            if (own != null) {
                boolean isAtMost = isAtMost(at);
                String limit = at + (isAtMost ? "/at-most" : "/at-least");
                checkArithmetic(limit, text(limit), phases);
                compared.add(new LabDerived.Expected(own, isAtMost, text(limit)));
                continue;
            }
            LabExpectation one = expectation(at);
            if (one != null) {
                add(at, one, !phases.isEmpty(), ofPhase);
            }
        }
        return ofPhase;
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
                    "what is expected of a phase in its own expect");
        } else {
            ofPhase.add(one);
        }
    }

    private void refuseWithoutCards(String at) {
        yaml.refuse(
                at,
                "expectations of hosts without cards of ours",
                "expect where topology.ports has queues, priorities or flow control");
    }

    private @Nullable LabDerived named(String name) {
        return derived.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    }

    private String text(String at) {
        return yaml.isGiven(at) ? String.valueOf(yaml.scalar(at)) : "";
    }

    private void checkArithmetic(String at, String text, List<String> phases) {
        List<String> names = Arithmetic.measures(text);
        if (names == null) {
            yaml.refuse(at);
            return;
        }
        for (String name : names) {
            if (named(name) == null && LabMeasure.Of.parse(name, phases, hosts) == null) {
                yaml.refuse(
                        at,
                        "no measure " + YamlConfig.quote(name),
                        "a name in measures before it, or PHASE: MEASURE or PHASE: MEASURE of HOST"
                                + " with one of "
                                + LabMeasure.words());
            }
        }
    }

    private boolean isAtMost(String at) {
        boolean isAtMost = yaml.isGiven(at + "/at-most");
        if (isAtMost == yaml.isGiven(at + "/at-least")) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
        }
        return isAtMost;
    }

    private @Nullable LabExpectation expectation(String at) {
        boolean isAtMost = isAtMost(at);
        String word = yaml.text(at + "/measure", "");
        LabMeasure measure = LabMeasure.of(word);
        if (measure == null) {
            yaml.refuse(
                    at + "/measure",
                    YamlConfig.quote(word),
                    LabMeasure.words() + ", or of a lab a name in its measures");
            return null;
        }
        String host = yaml.text(at + "/of", "");
        if (!host.isEmpty() && (!measure.isOfHosts() || !hosts.contains(host))) {
            yaml.refuse(
                    at + "/of",
                    measure.isOfHosts()
                            ? "no host " + YamlConfig.quote(host)
                            : measure.word() + " of a host",
                    measure.isOfHosts()
                            ? "hosts of the topology: " + String.join(", ", hosts)
                            : "no of with it");
        }
        String limit = at + (isAtMost ? "/at-most" : "/at-least");
        Double value = yaml.isGiven(limit) ? Arithmetic.value(text(limit)) : null;
        if (value == null || value < 0) {
            if (yaml.isGiven(limit)) {
                yaml.refuse(limit);
            }
            return null;
        }
        return new LabExpectation(
                measure, host, isAtMost, value, yaml.flag(at + "/control", false));
    }
}
