package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every shipped scenario with one thing broken fails, by the check that is meant. Some runs, or
 * all, are replaced by others whose parameters the scenario does not know: {@code control=rocc >
 * control=dcqcn} means that hosts obey DCQCN where the scenario says RoCC.
 */
@Tag("shipped")
class BrokenScenariosTest {
    @TempDir private Path directory;

    private static final String QUICK =
            """
            incast             | duration=1ms queue=100kB | * > queue=90kB | highest queue
            lossless-incast    | flow-control=credits duration=4ms | * > period=1ms | use of the receiver's link
            mg1                | load=0.5 arrivals=100k | * > sizes=fixed | mean wait
            paths              | paths=packet size=500kB | * > paths=flow | frames reordered of f
            selective-repair   | loss=0.001 duration=1ms | transport=selective > transport=rocev2 | share of the link
            parking-lot        | hops=2 duration=10ms | * > load=0.99 | share of long
            four-port-incast   | bursts=3 | * > on=95us | highest queue
            tcd-testbed        | detect=red flow-control=pfc burst=5ms | * > threshold=1MB | F0 marked congested while its way is stopped
            tcd-simulation     | detect=tcd bursts=12 | * > max-on=1us | F0 marked congested
            detectors          | network=7..8 frames=2000 detect=tcd-pfc,red-pfc | detect=tcd-pfc > detect=red-pfc | precision of tcd-pfc above red-pfc
            ib-marking         | scheme=none,naive duration=40ms | scheme=naive > scheme=none | local share of the root link, last four fifths
            rocc-convergence   | senders=10 rate=40Gbps stagger=0ns duration=10ms | * > duration=3ms | settled after the last flow's start
            rocc-convergence   | senders=10 rate=40Gbps stagger=0ns duration=10ms | * > rate=100Gbps | queue
            rocc-multi-bottleneck | control=rocc duration=16ms | * > control=dcqcn | rate of D1
            rocc-asymmetric    | control=rocc duration=8ms | * > duration=1ms | rate of D0
            rocc-asymmetric    | control=hpcc duration=2ms | * > control=rocc | rate of D5
            rocc-testbed       | testbed=dpdk demand=mixed duration=20ms | * > demand=uniform | fair rate
            rocc-compared      | control=rocc duration=8ms | * > control=dcqcn | queue
            compare-controllers | network=bottleneck control=swift senders=2 rate=10Gbps | * > control=dctcp | queue
            collectives        | kind=ring fabric=wide leaves=2 hosts=2 size=1MB duration=2ms | * > kind=halving-doubling | makespan of job
            datacenter         | control=dcqcn,hpcc leaves=2 hosts=4 duration=1ms | control=hpcc > control=dcqcn | p99 slowdown of short, of that with dcqcn
            icc-states         | control=icc,dcqcn begin=100us duration=1ms | control=icc > control=dcqcn | queue of s0 down to a tenth of its peak, since the burst, of that with icc
            openqueue-weighted | policy=a-4,c-4 duration=1ms | policy=c-4 > policy=a-4 | weighted throughput, of that with a-4
            escape-ring        | tokens=16 duration=4ms | * > tokens=none | windows in which a flow stands still
            compare-deadlock   | answer=escape duration=9ms | * > answer=none | time to recover
            escape-innocent    | workload=fbhadoop_rocc escape=off,on duration=1ms | escape=on > escape=off | mean completion of innocent flows together, of that with off
            escape-hpcc        | escape=on begin=200us after=600us | * > escape=off | use of the ring's links after
            """;

    /** Too long for each build. */
    private static final String LONG =
            """
            escape-innocent    | workload=fbhadoop_rocc escape=on,gfc-buffer | escape=gfc-buffer > escape=on | mean completion of innocent flows together, of that with on
            escape-fat-tree    | links=failed escape=on duration=500us | * > escape=off | rate of h1
            deadlock-tree      | answer=none,escape load=0.7 duration=12ms | answer=escape > answer=none | flows finished of web, of that with none
            tcd-dcqcn          | detect=tcd,red | detect=tcd > max-on=1us | F0 marked congested since the first burst
            icc-recovery       | control=icc duration=3ms | * > control=dcqcn | F1's recovery or the run's end, since the last short flow's end
            icc-recovery       | control=icc duration=2500us | * > control=dcqcn | F1's rate at the end, of that before the burst
            icc-victims        | control=icc,dcqcn | control=icc > control=icc-printed | pauses of all ports, of that with dcqcn
            icc-victims        | control=icc,timely | control=icc > control=icc-printed | pauses of all ports, of that with timely
            icc-victims        | control=icc,pcn | control=icc > control=dcqcn | mean completion of F1, of that with icc
            rocc-asymmetric    | control=dcqcn | * > control=hpcc | rate of D5
            rocc-compared      | control=timely | * > control=dcqcn | fairness
            rocc-compared      | control=dcqcn-dissertation,dcqcn-pi | control=dcqcn-pi > control=dcqcn | queue, standard deviation, of that with dcqcn-dissertation
            rocc-datacenter    | control=rocc workload=websearch duration=40ms | * > control=hpcc | queue of the core
            rocc-datacenter    | control=rocc,dcqcn measured=beginning duration=400us hosts=6 load=1 | control=dcqcn > control=rocc | p99 completion of web, of that with rocc
            rocc-datacenter    | control=rocc,dcqcn measured=beginning duration=400us hosts=6 load=1 | control=dcqcn > control=rocc | queues of the edges, of that with rocc
            rocc-datacenter    | control=rocc,hpcc-rate measured=beginning duration=400us hosts=6 load=1 | control=hpcc-rate > control=hpcc | p99 completion of web, of that with rocc
            rocc-datacenter    | control=rocc,hpcc workload=websearch duration=40ms hosts=6 load=1 | control=hpcc > control=rocc | p99 completion of short, of that with rocc
            icc-load           | control=icc,pcn duration=20ms | control=icc > control=pcn | pauses sent of all, of that with icc
            icc-load           | control=icc,dcqcn duration=20ms | control=icc > control=dcqcn | mean completion of web, of that with icc
            rocc-steps         | step=10ms | * > step=4ms | fair rate, step 1
            dcqcn-fairness     | form=silent senders=10 | * > form=end-of-interval | queue
            rocc-multi-bottleneck | control=dcqcn-dissertation | * > duration=40ms | lowest rate of D1 to D4, of their mean
            """;

    @ParameterizedTest(name = "{0}, {1}: {2} fails by {3}")
    @CsvSource(delimiter = '|', textBlock = QUICK)
    void fails(String name, String settings, String broken, String check) throws Exception {
        fails(Once.named(name), settings, broken, check);
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}, {1}: {2} fails by {3}")
    @CsvSource(delimiter = '|', textBlock = LONG)
    void failsInLong(String name, String settings, String broken, String check) throws Exception {
        fails(Scenarios.named(name), settings, broken, check);
    }

    private static void fails(Scenario scenario, String settings, String broken, String check)
            throws Exception {
        List<Cell> cells = cells(scenario, settings.split(" "));
        String[] rule = broken.split(" > ");
        List<CellResult> sound = new ArrayList<>();
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells) {
            CellResult asSaid = run(scenario, cell);
            sound.add(asSaid);
            Map<String, String> texts = cell.values().texts();
            boolean isBroken =
                    rule[0].equals("*")
                            || texts.entrySet().stream()
                                    .anyMatch(one ->
                                            rule[0].equals(one.getKey() + "=" + one.getValue()));
            results.add(
                    isBroken ? with(cell, run(scenario, other(scenario, cell, rule[1]))) : asSaid);
        }
        judge(scenario, sound, results, check);
    }

    private static void judge(
            Scenario scenario, List<CellResult> sound, List<CellResult> results, String check) {
        assertThat(meant(scenario, sound, check)).as("sound").isNotEmpty().allMatch(Check::passed);
        assertThat(meant(scenario, results, check)).as("broken").anyMatch(one -> !one.passed());
    }

    private static List<Check> meant(Scenario scenario, List<CellResult> results, String check) {
        return scenario.conclude(results).checks().stream()
                .filter(one -> one.what().equals(check) || one.what().startsWith(check + " ("))
                .toList();
    }

    private static List<Cell> cells(Scenario scenario, String... settings) throws Exception {
        List<String> all = Arrays.stream(settings).filter(one -> !one.isEmpty()).toList();
        return Sweep.of(scenario, all, "1", EnumSet.of(BedKind.VIRTUAL), 0).cells();
    }

    /** The cell whose run takes the place of another's. */
    private static Cell other(Scenario scenario, Cell cell, String setting) throws Exception {
        Map<String, String> texts = new LinkedHashMap<>(cell.values().texts());
        String[] parts = setting.split("=");
        texts.put(parts[0], parts[1]);
        String[] settings =
                texts.entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue())
                        .toArray(String[]::new);
        return cells(scenario, settings).getFirst();
    }

    private static CellResult run(Scenario scenario, Cell cell) throws ScenarioException {
        return new CellResult(cell, scenario.run(cell, new QuietRun()), null, 0);
    }

    private static CellResult with(Cell cell, CellResult result) {
        return new CellResult(cell, result.outcome(), result.failure(), 0);
    }

    /** All switches choose alike, so that what comes up an edge goes on by one path. */
    @Test
    void aFatTreeOfSwitchesThatChooseAlikeFails() throws Exception {
        Scenario sound = Once.named("ecmp-spread");
        Scenario broken =
                ScenarioReader.read(
                        Scenarios.text("ecmp-spread"),
                        "broken",
                        (experiment, cell, context) -> Beds.run(alike(experiment), cell, context));
        planted(sound, broken, "flows=40", "largest deviation at aggregation");
    }

    private static Experiment alike(Experiment experiment) {
        Topology tree = experiment.topology();
        List<SwitchConfig> planned = NetworkPlan.of(tree, PlanOptions.virtual(1)).switches();
        Topology alike =
                tree.withSwitches(
                        IntStream.range(0, planned.size())
                                .mapToObj(i ->
                                        new Topology.Switch(
                                                tree.switches().get(i).name(),
                                                -planned.get(i).seed()))
                                .toList());
        return new Experiment(
                alike,
                experiment.flows(),
                experiment.arrivals(),
                experiment.durationPs(),
                experiment.recording());
    }

    /** Ports mark by the queue's length, too. */
    @Test
    void aVictimThatIsMarkedByTheLengthOfAQueueFails() throws Exception {
        String name = "tcd-testbed";
        Scenario broken = other(name, "red: {when: $detect = red", "red: {when: $detect = tcd");
        for (String check :
                List.of("F0 marked congested", "F0 marked undetermined while its way is stopped")) {
            String settings = "detect=tcd flow-control=pfc burst=5ms";
            planted(Once.named(name), broken, settings, check);
        }
    }

    /** The last that came is the first that leaves: no queue is longer for it. */
    @Test
    void aQueueInAnotherOrderThanOfArrivalFails() throws Exception {
        Path policy = directory.resolve("last-first.oq");
        Files.writeString(
                policy,
                """
                import "standard.oq"
                later(p1, p2) = (p1.arrival > p2.arrival)
                q1 = Queue(1);
                q1.procPrio = later;
                out = Port(100%, q1);
                """);
        String name = "openqueue-overhead";
        Scenario broken = other(name, "file: $policy.oq", "file: " + policy);
        for (String check : List.of("largest delay, of that with built-in", "frames reordered")) {
            planted(
                    Once.named(name),
                    broken,
                    "clients=16 duration=1ms queues=built-in,list",
                    check);
        }
    }

    /** A shipped file with something else in place of a part. */
    private static Scenario other(String name, String was, String is) throws ScenarioException {
        String text = Scenarios.text(name);
        assertThat(text).contains(was);
        return ScenarioReader.read(text.replace(was, is), name);
    }

    private static void planted(Scenario sound, Scenario broken, String settings, String check)
            throws Exception {
        List<CellResult> asItIs = new ArrayList<>();
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells(sound, settings.split(" "))) {
            asItIs.add(run(sound, cell));
            results.add(run(broken, cell));
        }
        judge(sound, asItIs, results, check);
    }

    /** None is left out. */
    @Test
    void everyScenarioIsBrokenOnce() throws ScenarioException {
        Set<String> names = new TreeSet<>(Set.of("ecmp-spread", "openqueue-overhead"));
        (QUICK + LONG).lines().map(row -> row.split("\\|")[0].strip()).forEach(names::add);
        assertThat(Scenarios.all())
                .extracting(one -> one.about().name())
                .containsExactlyInAnyOrderElementsOf(names);
    }
}
