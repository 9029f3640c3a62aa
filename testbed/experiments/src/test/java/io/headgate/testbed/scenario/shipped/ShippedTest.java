package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Every shipped scenario, made short, comes out as its source says. */
@Tag("shipped")
class ShippedTest {
    @TempDir private Path directory;

    static List<CellResult> run(
            Scenario scenario,
            BedKind bed,
            boolean checking,
            @Nullable Path traces,
            String... settings)
            throws ScenarioException {
        return run(
                Sweep.of(scenario, List.of(settings), "1", EnumSet.of(bed), 0), checking, traces);
    }

    private static List<CellResult> run(Sweep sweep, boolean checking, @Nullable Path traces)
            throws ScenarioException {
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return new Campaign(
                        sweep, sweep.cells(), new Campaign.Options(2, checking, traces, out, false))
                .run();
    }

    private static void comesOut(String name, String... settings) throws Exception {
        comesOut(Once.named(name), settings);
    }

    private static void comesOut(Scenario scenario, String... settings) throws Exception {
        List<CellResult> results = concludes(scenario, settings);
        GoldenTable.holds(scenario.about().name(), String.join(" ", settings), results);
    }

    /** Long runs are held to what their source says, and to no table. */
    static List<CellResult> concludes(Scenario scenario, String... settings)
            throws ScenarioException {
        List<CellResult> results = run(scenario, BedKind.VIRTUAL, false, null, settings);
        assertThat(results).allSatisfy(result -> assertThat(result.failure()).isNull());
        Findings findings = scenario.conclude(results);
        assertThat(findings.figures()).isNotEmpty();
        // In print no label stands on another one, or outside.
        assertThat(findings.figures())
                .allSatisfy(figure ->
                        assertThat(
                                        FigureCheck.mistakes(
                                                FigureFiles.draw(figure, Column.FITTING).svg()))
                                .as(figure.name())
                                .isEmpty());
        assertThat(findings.checks())
                .allSatisfy(check -> assertThat(check.passed()).as(check.sentence()).isTrue());
        return results;
    }

    @Test
    void incastFillsTheQueueAsArithmeticSays() throws Exception {
        comesOut("incast", "senders=2,3,7", "duration=1ms", "queue=100kB");
        comesOut("incast", "rate=100Gbps", "frame=1000B", "duration=500us");
    }

    @Test
    void incastThatDropsNothingSaysSo() throws Exception {
        Scenario incast = Once.named("incast");
        List<CellResult> results =
                run(incast, BedKind.VIRTUAL, false, null, "duration=100us", "queue=10MB");
        assertThat(incast.conclude(results).statements())
                .hasSize(2)
                .anyMatch(s -> s.startsWith("0 frames dropped; highest queue at s1/p4 with "))
                .contains(
                        "the queue is not checked: it would be full after 4066 us, and the run"
                                + " lasts 100us");
    }

    @Test
    void incastOverLosslessLinksLosesNothingAndKeepsTheLinkBusy() throws Exception {
        comesOut("lossless-incast", "duration=8ms");
        comesOut("lossless-incast", "senders=7", "rate=40Gbps", "duration=3ms");
        comesOut("lossless-incast", "frame=100B", "duration=2ms");
        comesOut("lossless-incast", "flow-control=credits", "buffer=10kB", "period=1ms");
        comesOut("lossless-incast", "delay=1ms", "buffer=10kB", "xoff=10kB", "xon=5kB");
    }

    @Test
    void packetsOnEightPathsArriveReorderedAndWholeAndOnlyLostOnesAreSentAgain() throws Exception {
        comesOut("paths", "paths=flow,packet", "size=500kB");
        comesOut("paths", "paths=flowlet");
        comesOut("selective-repair", "loss=0.001,0.01", "duration=2ms");
    }

    @Test
    void aVictimOfPausesIsMarkedUndeterminedAndNeverCongested() throws Exception {
        comesOut("tcd-testbed", "burst=5ms");
        comesOut("tcd-testbed", "burst=5ms", "detect=fecn", "flow-control=credits");
        Scenario scenario = Once.named("tcd-testbed");
        assertThatThrownBy(() ->
                        run(
                                scenario,
                                BedKind.VIRTUAL,
                                false,
                                null,
                                "detect=fecn",
                                "flow-control=pfc"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("InfiniBand's rule needs credits");
    }

    @Test
    void behindAChainOfSwitchesAVictimIsToldFromTheCulprit() throws Exception {
        comesOut("tcd-simulation", "bursts=12");
    }

    @Test
    void aVictimKeepsItsRateWhereDcqcnGoesByTernaryMarks() throws Exception {
        comesOut("tcd-dcqcn");
    }

    @Test
    void anInputBufferedSwitchMarksAsThePaperSays() throws Exception {
        comesOut("ib-marking", "duration=40ms");
        comesOut(
                "ib-marking",
                "scheme=input",
                "buffer=8",
                "bypass=4,16",
                "victim=always",
                "duration=40ms");
    }

    @Test
    void marksOfTcdAreMoreOftenRight() throws Exception {
        comesOut("detectors", "network=7..12", "frames=2000");
    }

    @Test
    void roccHoldsTheFairRateAtTheShareAndTheQueueAtItsReference() throws Exception {
        comesOut("rocc-convergence", "senders=10", "rate=40Gbps", "stagger=0ns", "duration=10ms");
        comesOut("rocc-testbed", "testbed=dpdk", "duration=20ms");
        comesOut("rocc-testbed", "testbed=p4", "duration=16ms");
    }

    @Test
    void roccGivesAFlowTheLeastOfTheFairRatesOnItsWay() throws Exception {
        comesOut("rocc-multi-bottleneck", "control=rocc", "duration=16ms");
        comesOut("rocc-asymmetric", "control=rocc", "duration=8ms");
    }

    @Test
    void aBurstUnderIccLeavesNoQueue() throws Exception {
        comesOut("icc-states", "control=icc", "begin=100us", "duration=1ms");
    }

    @Tag("long")
    @Test
    void withIccALongFlowRecoversFromABurstAndMeetsFewerPauses() throws Exception {
        concludes(Scenarios.named("icc-states"));
        concludes(Scenarios.named("icc-recovery"));
        concludes(Scenarios.named("icc-victims"));
    }

    @Test
    void escapeKeepsARingFromStandingStill() throws Exception {
        comesOut("escape-ring", "tokens=none,16", "duration=6ms");
        comesOut("escape-ring", "tokens=none,12", "control=rocc", "duration=6ms");
    }

    /** Where inputs are served in turn. */
    @Test
    void gentleFlowControlKeepsARingFromStandingStill() throws Exception {
        String[] settings = {"tokens=none", "gfc=buffer,time", "queues=inputs", "duration=6ms"};
        comesOut("escape-ring", settings);
    }

    @Test
    void answersToADeadlockAreCompared() throws Exception {
        comesOut("compare-deadlock", "answer=none,escape,loop-breaker", "duration=12ms");
    }

    @Test
    void escapeKeepsRingsWithHpccAndATreeFromStandingStill() throws Exception {
        comesOut("escape-hpcc", "begin=200us", "after=600us");
        comesOut("deadlock-tree", "answer=escape,gfc-time", "duration=2ms");
    }

    @Test
    @Tag("long")
    void escapeAndItsRivalsComeOutInTreesAsTheyAreShipped() throws Exception {
        concludes(Scenarios.named("escape-hpcc"));
        concludes(Scenarios.named("escape-fat-tree"));
        concludes(Scenarios.named("deadlock-tree"));
    }

    /** Where pauses end far below where they begin, buffers stay above xon in a ring that moves. */
    @Test
    void aRingThatMovesIsToldFromOneThatStandsStillWhereverPausesEnd() throws Exception {
        Scenario ring = Once.named("escape-ring");
        String[] settings = {"tokens=none,16", "xon=10kB", "apart=200us", "duration=6ms"};
        List<CellResult> results = concludes(ring, settings);
        String stuck = "flows that stand still at the end";
        assertThat(results).extracting(one -> one.measure(stuck)).containsExactly(3.0, 0.0);
        assertThatThrownBy(() -> run(ring, BedKind.VIRTUAL, false, null, "duration=2ms"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("at least 3.2 ms are needed");
    }

    @Test
    void innocentFlowsTakeLessTimeWithEscape() throws Exception {
        comesOut("escape-innocent", "workload=fbhadoop_rocc", "escape=off,on", "duration=1ms");
    }

    /** Flows of WebSearch are few: a run as short as that of FB_Hadoop says nothing, and fails. */
    @Test
    void whatHasTooFewFlowsForAMeanFails() throws Exception {
        Scenario innocent = Once.named("escape-innocent");
        Findings findings =
                innocent.conclude(
                        run(
                                innocent,
                                BedKind.VIRTUAL,
                                false,
                                null,
                                "workload=websearch_rocc",
                                "duration=1ms"));
        assertThat(findings.checks())
                .filteredOn(check -> !check.passed())
                .extracting(Check::what)
                .containsOnly(
                        "runs with flows finished of innocent flows together >= 1000, of which mean"
                                + " completion of innocent flows together is judged");
    }

    @Test
    @Tag("long")
    void innocentFlowsOfWebSearchTakeLessTimeWithEscape() throws Exception {
        concludes(Scenarios.named("escape-innocent"), "workload=websearch_rocc", "duration=1500ms");
    }

    @Test
    void roccAndDcqcnStandBesideEachOther() throws Exception {
        comesOut("rocc-compared", "control=rocc,dcqcn", "duration=8ms");
        comesOut("rocc-multi-bottleneck", "control=dcqcn-dissertation", "duration=2ms");
        comesOut("dcqcn-fairness", "senders=2", "duration=4ms");
        // With a notification more at each interval's end the queue is too short by a quarter.
        concludes(Once.named("dcqcn-fairness"), "form=silent", "senders=2");
    }

    @Test
    void collectivesTakeAsLongAsTheirClosedForms() throws Exception {
        comesOut(
                "collectives",
                "kind=ring,halving-doubling,all-to-all",
                "leaves=2",
                "hosts=2",
                "size=200kB",
                "duration=2ms");
    }

    @Test
    void completionTimesInAFabricUnderLoad() throws Exception {
        comesOut("datacenter", "workload=alistorage", "leaves=2", "hosts=2", "duration=500us");
        comesOut("datacenter", "fabric=fat-tree", "control=hpcc", "duration=100us");
    }

    @Test
    void keptConnectionsOverAnOverloadedCore() throws Exception {
        comesOut("rocc-datacenter", "hosts=3", "duration=200us");
        comesOut("rocc-datacenter", "control=rocc", "pauses=off", "hosts=2", "duration=200us");
    }

    @Test
    void flowsOverLoadWithIccAndOthers() throws Exception {
        comesOut("icc-load", "hosts=4", "duration=3ms");
    }

    @Test
    void hpccStandsBesideThem() throws Exception {
        comesOut("rocc-compared", "control=hpcc", "duration=1ms");
        comesOut("rocc-multi-bottleneck", "control=hpcc", "duration=1ms");
        comesOut("rocc-asymmetric", "control=hpcc", "duration=2ms");
    }

    @Test
    void piTimelyAndQcnStandBesideThem() throws Exception {
        comesOut("rocc-compared", "control=dcqcn-pi,timely,qcn", "duration=1ms");
    }

    @Test
    void controlsRestAtTheQueuesOfTheirPapers() throws Exception {
        comesOut(
                "compare-controllers",
                "network=bottleneck",
                "control=dctcp,swift",
                "senders=2",
                "rate=10Gbps");
    }

    @Test
    void controlsAreComparedInOtherNetworks() throws Exception {
        String[] settings = {
            "network=incast,multi-bottleneck,victim,leaf-spine",
            "control=rocc,qcn",
            "senders=4",
            "rate=10Gbps",
            "size=100kB",
            "xoff=500kB",
            "duration=2ms"
        };
        Scenario scenario = Once.named("compare-controllers");
        List<CellResult> results = run(scenario, BedKind.VIRTUAL, false, null, settings);
        GoldenTable.holds("compare-controllers", String.join(" ", settings), results);
        Findings findings = scenario.conclude(results);
        assertThat(findings.passed()).isTrue();
        assertThat(findings.tables().stream().map(Findings.Titled::title))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("Who wins where");
        assertThat(findings.tables().getLast().table().headings())
                .contains("convergence (us)", "completion, mean (us)", "fairness");
        assertThat(findings.tables().getLast().table().rows()).hasSize(8);
    }

    @Test
    @Tag("long")
    void allControlsComeOutAsTheyAreShipped() throws Exception {
        concludes(Scenarios.named("compare-controllers"));
        concludes(
                Scenarios.named("compare-controllers"),
                "network=bottleneck",
                "senders=2,10",
                "rate=40Gbps,100Gbps",
                "duration=200ms");
    }

    /** Utilisation, queue and Jain's index of each, with the spread of five seeds. */
    @Test
    @Tag("long")
    void hpccHoldsALinkAtEtaWithoutAQueueAndSharesIt() throws Exception {
        Path file = Path.of("examples/scenarios/hpcc.yaml");
        Scenario scenario = ScenarioReader.read(Files.readString(file), file.toString());
        Sweep sweep =
                Sweep.of(
                        scenario,
                        List.of("hosts=3,11", "rate=40Gbps,100Gbps"),
                        "1..5",
                        EnumSet.of(BedKind.VIRTUAL),
                        0);
        List<CellResult> results = run(sweep, false, null);
        assertThat(results).hasSize(20);
        assertThat(scenario.conclude(results).checks())
                .allSatisfy(check -> assertThat(check.passed()).as(check.sentence()).isTrue());
    }

    @Test
    @Tag("long")
    void roccDcqcnAndHpccComeOutAsTheyAreShipped() throws Exception {
        concludes(Scenarios.named("rocc-compared"));
        concludes(Scenarios.named("rocc-multi-bottleneck"));
        concludes(Scenarios.named("rocc-asymmetric"));
        concludes(Scenarios.named("dcqcn-fairness"));
    }

    @Test
    @Tag("long")
    void roccFollowsFlowsThatDoubleAndHalve() throws Exception {
        concludes(Scenarios.named("rocc-steps"));
        concludes(Scenarios.named("rocc-convergence"));
    }

    @Test
    void meanWaitIsThatOfPollaczekAndKhinchine() throws Exception {
        comesOut("mg1", "load=0.3,0.5", "arrivals=300k");
        comesOut("mg1", "load=0.5", "arrivals=300k", "sizes=fixed");
    }

    @Test
    void flowsSpreadOverAFatTreeAndKeepTheirOrder() throws Exception {
        comesOut("ecmp-spread", "flows=40");
    }

    @Test
    void theFlowOfManyHopsIsLeftLittle() throws Exception {
        comesOut("parking-lot", "duration=10ms", "hops=1,3");
    }

    @Test
    void burstsBuildTrianglesInVirtualTime() throws Exception {
        comesOut("four-port-incast", "bursts=3");
    }

    @Test
    void observersAndChecksDoNotChangeARun() throws Exception {
        Scenario incast = Scenarios.named("incast");
        String[] settings = {"duration=100us", "queue=50kB"};
        String plain = digest(run(incast, BedKind.VIRTUAL, false, null, settings));
        String traced = digest(run(incast, BedKind.VIRTUAL, false, directory, settings));
        String checked = digest(run(incast, BedKind.VIRTUAL, true, null, settings));
        assertThat(plain).hasSize(16).isEqualTo(traced).isEqualTo(checked);
        assertThat(directory.resolve("run-0000-virtual.hgtrace")).exists();
    }

    private static String digest(List<CellResult> results) {
        return results.getFirst().outcomeOrThrow().digest();
    }

    @Test
    void exampleFilesComeOutAsTheySay() throws Exception {
        for (Path file : examples()) {
            String name = file.toString();
            String text =
                    ScenarioReader.withNamedFiles(
                            Files.readString(file), name, Path.of("examples/scenarios"));
            Scenario scenario = ScenarioReader.read(text, name);
            comesOut(scenario);
        }
    }

    private static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples/scenarios"))) {
            List<Path> all =
                    files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
            assertThat(all).isNotEmpty();
            return all;
        }
    }

    @Test
    void anUnknownNameIsOneSentenceWithTheOneThatWasMeant() {
        assertThatThrownBy(() -> Scenarios.named("incats"))
                .hasMessageStartingWith("no scenario is named 'incats' (incast?): allowed is ");
    }

    @Test
    @DisabledIfSystemProperty(named = GoldenTable.REWRITE, matches = "true")
    void whatEachMeasuresStandsInGit() throws ScenarioException {
        assertThat(Scenarios.all())
                .extracting(scenario -> GoldenTable.file(scenario.about().name()))
                .allSatisfy(file -> assertThat(file).exists());
    }

    /** Too short for what their sources say, which long runs are held to. */
    @Test
    void whatLongOnesMeasureInShortStandsInGitToo() throws Exception {
        holds("rocc-steps", "step=4ms");
        holds("openqueue-weighted", "duration=1ms");
        holds("escape-fat-tree", "links=failed", "escape=on", "flows=1", "duration=100us");
        holds("icc-recovery", "control=icc", "begin=100us", "duration=1ms");
        holds("icc-victims", "control=icc", "begin=100us", "size=1MB", "duration=1ms");
    }

    private static void holds(String name, String... settings) throws Exception {
        GoldenTable.holds(
                name,
                String.join(" ", settings),
                run(Once.named(name), BedKind.VIRTUAL, false, null, settings));
    }

    @Test
    void allComeInTheOrderOfAList() throws ScenarioException {
        // A file has the name of its scenario.
        assertThat(Scenarios.all())
                .extracting(scenario -> scenario.about().name())
                .isEqualTo(Scenarios.names());
        assertThat(Scenarios.all().stream().map(scenario -> scenario.about().name()))
                .containsExactly(
                        "incast",
                        "lossless-incast",
                        "mg1",
                        "ecmp-spread",
                        "collectives",
                        "datacenter",
                        "paths",
                        "selective-repair",
                        "parking-lot",
                        "four-port-incast",
                        "tcd-testbed",
                        "tcd-simulation",
                        "tcd-dcqcn",
                        "detectors",
                        "ib-marking",
                        "rocc-convergence",
                        "rocc-steps",
                        "rocc-multi-bottleneck",
                        "rocc-asymmetric",
                        "rocc-testbed",
                        "rocc-datacenter",
                        "rocc-compared",
                        "dcqcn-fairness",
                        "compare-controllers",
                        "openqueue-overhead",
                        "openqueue-weighted",
                        "escape-ring",
                        "escape-innocent",
                        "escape-hpcc",
                        "escape-fat-tree",
                        "compare-deadlock",
                        "deadlock-tree",
                        "icc-states",
                        "icc-recovery",
                        "icc-victims",
                        "icc-load");
    }

    @Test
    void queuesByAComparatorAreNoLongerThanPlainOnes() throws Exception {
        comesOut("openqueue-overhead", "clients=1,16", "duration=1ms");
        comesOut("openqueue-overhead", "clients=4", "mtu=0.0625", "load=0.2", "duration=1ms");
    }

    @Test
    @Tag("long")
    void policiesThatKnowValuesAreWorthMore() throws Exception {
        concludes(Scenarios.named("openqueue-weighted"), "duration=20ms");
    }
}
