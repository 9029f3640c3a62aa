package io.headgate.testbed.scenario.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortTraffic;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.explain.Explanation.Question;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pauses of random networks, explained, and proved by a run without those who are suspected. */
class ProofTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DURATION_PS = 300_000_000L;
    private static final int PRIORITY = 3;
    private static final FrameShape SHAPE = FrameShape.udp(1514).withPriority(PRIORITY, 26);
    private static final PortTraffic PORTS =
            PortTrafficReader.read(
                    "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 50kB}}");

    /** A scenario that counts how often it was run. */
    private static final class Counted implements Scenario {
        final Experiment experiment;
        int runs;

        Counted(Experiment experiment) {
            this.experiment = experiment;
        }

        @Override
        public About about() {
            return new About("tree", "tree", "", "");
        }

        @Override
        public List<Parameter> parameters() {
            return List.of();
        }

        @Override
        public Outcome run(Cell cell, RunContext context) throws ScenarioException {
            runs++;
            return Beds.run(experiment, cell, context).outcome(List.of(), List.of());
        }

        @Override
        public Findings conclude(List<CellResult> results) {
            throw new UnsupportedOperationException("its runs are looked at alone");
        }

        Explanation explain(Question question, boolean prove) throws ScenarioException {
            Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.VIRTUAL, 1);
            return Explanation.of(this, cell, "", question, prove, null);
        }
    }

    /** Switches in a tree, hosts at each, one or two of which get more than their links carry. */
    private static Counted tree(NamedRandom random) {
        int switches = 2 + random.nextInt(5);
        Topology.Builder net = Topology.builder("tree");
        IntStream.rangeClosed(1, switches).forEach(node -> net.switchNode("s" + node));
        LinkSpec link = LinkSpec.of(RATE_BPS, 1_000);
        int hosts = 0;
        for (int node = 1; node <= switches; node++) {
            for (int host = 1 + random.nextInt(3); host > 0; host--) {
                net.host("h" + ++hosts, "s" + node, link);
            }
        }
        int sinks = 1 + random.nextInt(2);
        for (int sink = 0; sink < sinks; sink++) {
            long rateBps = RATE_BPS / (1 + random.nextInt(8));
            net.host(
                    "sink" + sink,
                    "s" + (1 + random.nextInt(switches)),
                    LinkSpec.of(rateBps, 1_000));
        }
        for (int node = 2; node <= switches; node++) {
            net.link("s" + (1 + random.nextInt(node - 1)), "s" + node, link);
        }
        List<FlowSpec> flows = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            FlowSpec flow = FlowSpec.greedy("to-sink", host, hosts + random.nextInt(sinks), SHAPE);
            long rateBps = RATE_BPS / (1 + random.nextInt(4));
            flows.add(
                    random.nextInt(2) == 0
                            ? flow
                            : flow.withPattern(
                                    new SendPattern.ConstantRate(
                                            rateBps, SendPattern.Lateness.MADE_UP)));
            int other = random.nextInt(hosts);
            if (other != host && random.nextInt(3) == 0) {
                flows.add(FlowSpec.greedy("next", host, other, SHAPE));
            }
        }
        return new Counted(experiment(net.build().withPorts(PORTS), flows));
    }

    private static Experiment experiment(Topology topology, List<FlowSpec> flows) {
        return new Experiment(topology, flows, List.of(), DURATION_PS, Recording.NOTHING);
    }

    private static List<Pause> pauses(Counted network) throws ScenarioException {
        Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.VIRTUAL, 1);
        return WatchedRun.of(network, cell, WatchedRun.NEVER).pauses();
    }

    /** Of as many networks with pauses as are asked for, one pause each. */
    private static void prove(int from, int wanted) throws ScenarioException {
        int proved = 0;
        int named = 0;
        int flows = 0;
        List<String> failed = new ArrayList<>();
        for (int seed = from; proved < wanted; seed++) {
            NamedRandom random = NamedRandom.of(seed, "trees", "proof");
            Counted network = tree(random);
            List<Pause> pauses = pauses(network);
            if (pauses.isEmpty()) {
                continue;
            }
            proved++;
            Pause pause = pauses.get(random.nextInt(pauses.size()));
            long atPs = (pause.fromPs() + pause.untilPs()) / 2;
            network.runs = 0;
            Explanation explained =
                    network.explain(new Question.OfPause(pause.place(), PRIORITY, atPs), true);
            assertThat(network.runs).as("the run itself, and the proof").isEqualTo(2);
            assertThat(explained.suspects()).hasSizeLessThan(network.experiment.flows().size());
            named += explained.suspects().size();
            flows += network.experiment.flows().size();
            if (explained.proof() == null || !explained.proof().isGone()) {
                failed.add("seed " + seed + ": " + explained.toText());
            }
        }
        assertThat(failed).isEmpty();
        assertThat(named).as("to leave all out would prove nothing").isLessThan(flows / 2);
    }

    @Test
    void withoutTheNamedFlowsThePauseIsGone() throws Exception {
        prove(1, 2);
    }

    @Test
    @Tag("long")
    void aHundredRandomTreesOfPausesAreProvedWithOneRunEach() throws Exception {
        prove(1, 100);
    }
}
