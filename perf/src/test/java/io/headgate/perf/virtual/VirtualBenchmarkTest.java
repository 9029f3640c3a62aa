package io.headgate.perf.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.device.linux.Affinity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the harness works; no speed is asserted. */
class VirtualBenchmarkTest {
    private static final List<String> OURS =
            List.of(Queues.FIFO.simulator(), Queues.LOSSLESS.simulator());

    @TempDir Path directory;

    private VirtualResult run(List<String> queues, List<String> ns3, String... networks)
            throws Exception {
        return run(queues, ns3, List.of(), networks);
    }

    private VirtualResult run(
            List<String> queues, List<String> ns3, List<Integer> threadCores, String... networks)
            throws Exception {
        VirtualPlan plan =
                new VirtualPlan(
                                List.of(networks),
                                queues,
                                ns3,
                                null,
                                5,
                                5,
                                1,
                                core(),
                                threadCores,
                                1,
                                false)
                        .ofSmoke();
        List<String> log = new ArrayList<>();
        return new VirtualBenchmark(plan, directory, log::add).run();
    }

    @Test
    void everyNetworkRunsInAProcessOfItsOwnAndByNs3OrThatIsNamedAsMissing() throws Exception {
        VirtualResult result = run(VirtualPlan.allQueues(), Ns3.MODES, "incast", "leaf-spine-90");
        List<Trial> ours =
                result.trials().stream().filter(one -> OURS.contains(one.simulator())).toList();
        assertThat(ours).hasSize(4);
        assertThat(ours)
                .allSatisfy(trial -> {
                    assertThat(trial.delivered()).isPositive().isLessThan(trial.hops());
                    assertThat(trial.runSeconds()).isPositive();
                    assertThat(trial.wallSeconds()).isGreaterThan(trial.runSeconds());
                    assertThat(trial.peakBytes()).isPositive();
                });
        // Two of three frames find the receiver's link taken once the queue is full.
        Trial incast = ours.getFirst();
        assertThat(incast.dropped()).isBetween(incast.delivered(), 2 * incast.delivered());
        Trial lossless = ours.get(1);
        assertThat(lossless.dropped()).isZero();
        assertThat(lossless.delivered())
                .isBetween(incast.delivered() - 10, incast.delivered() + 10);
        assertThat(result.idleHostBytes()).isBetween(1_000L, 10_000_000L);
        assertThat(VirtualReport.of(result, "headgate bench virtual").toText())
                .contains("3:1 incast")
                .contains("Memory of an idle host");
        assertThat(VirtualReport.of(result, "headgate bench virtual").toJson())
                .contains("\"runSeconds\"");
        byNs3(result);
    }

    /** The same frames cross the same links, or a sentence says why there is nothing to compare. */
    private static void byNs3(VirtualResult result) {
        if (Ns3.whyNot().isPresent()) {
            assertThat(result.missing()).containsExactly(Ns3.whyNot().get());
            assertThat(result.simulators("leaf-spine-90")).containsExactlyElementsOf(OURS);
            return;
        }
        assertThat(result.missing()).isEmpty();
        assertThat(result.simulators("leaf-spine-90"))
                .hasSize(4)
                .containsAll(OURS)
                .contains("ns-3 internet", "ns-3 bare");
        double ours = result.median("leaf-spine-90", OURS.getFirst(), Trial::hops);
        for (String simulator : List.of("ns-3 bare", "ns-3 internet")) {
            // Hashes choose other paths, so that not quite the same frames are under way at the
            // end.
            assertThat(result.median("leaf-spine-90", simulator, Trial::hops) / ours)
                    .as(simulator)
                    .isBetween(0.98, 1.02);
        }
        assertThat(result.comparisons()).hasSize(4);
        assertThat(VirtualReport.of(result, "headgate bench virtual").toText())
                .contains("ns-3 internet");
    }

    /** Here on one core, which is enough to show that both do the same. */
    @Test
    void severalThreadsRunTheSameAndAreComparedWithOne() throws Exception {
        VirtualResult result =
                run(List.of("lossless"), List.of(), List.of(core(), core()), "fat-tree-128");
        Trial one = result.trials().getFirst();
        Trial two = result.trials().get(1);
        assertThat(two.simulator()).isEqualTo("Headgate, lossless, 2 threads");
        assertThat(two.hops()).isEqualTo(one.hops()).isPositive();
        assertThat(two.delivered()).isEqualTo(one.delivered());
        assertThat(result.comparisons()).isEmpty();
        assertThat(result.parted())
                .singleElement()
                .satisfies(parted -> {
                    assertThat(parted.network()).isEqualTo("fat-tree-128");
                    assertThat(parted.rate().median())
                            .isCloseTo(two.hopsPerSec() / one.hopsPerSec(), within(1e-9));
                });
    }

    @Test
    void flowsLoadTheNetworkAsTheyShould() {
        NetworkCase network = NetworkCase.FAT_TREE_128;
        long untilNs = 100_000_000;
        List<PlannedFlow> flows = network.flows(untilNs, 3);
        double frames = flows.stream().mapToLong(PlannedFlow::frames).sum();
        // 300 ns a frame.
        assertThat(frames * 300 / (128.0 * untilNs)).isBetween(0.69, 0.71);
        List<PlannedFlow> again = network.flows(untilNs, 3);
        assertThat(again).isEqualTo(flows).isNotEqualTo(network.flows(untilNs, 4));
        assertThat(flows).allMatch(flow -> flow.source() != flow.destination());
    }

    /** A program in its place says that all flows finished. */
    @Test
    void htsimGetsOurFlowsAndItsHopsAreDataAndAcknowledgements() throws Exception {
        Path program = directory.resolve("htsim_roce");
        Files.writeString(
                program,
                """
                #!/bin/bash
                while [[ $1 != -tm ]]; do shift; done
                sed -n 's/^[0-9].*/Flow & finished at 1/p' "$2"
                touch idmap.txt
                echo "New: 0 Rtx: ${RTX:-0}"
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        VirtualPlan plan =
                new VirtualPlan(
                        List.of("incast", "fat-tree-128"),
                        List.of("lossless"),
                        List.of(),
                        program,
                        1,
                        1,
                        0.02,
                        core(),
                        List.of(),
                        1,
                        false);
        Htsim htsim = new Htsim(program, directory, plan);
        // Of 6 ms the link takes 20,000 frames, a third from each host; two links, there and back.
        assertThat(htsim.run(NetworkCase.INCAST))
                .containsEntry("hops", Long.toString(3 * 6_666 * 2 * 2));
        long frames = network(plan).stream().mapToLong(PlannedFlow::frames).sum();
        assertThat(htsim.run(NetworkCase.FAT_TREE_128))
                .containsEntry("delivered", Long.toString(frames));
        String matrix = Files.readString(directory.resolve("fat-tree-128.cm"));
        assertThat(matrix.lines()).hasSize(2 + network(plan).size());
        assertThat(matrix).contains(" size 96000\n");

        // What it leaves behind is not left where we were started.
        assertThat(directory.resolve("idmap.txt")).exists();
        assertThat(Path.of("idmap.txt")).doesNotExist();

        assertThat(Htsim.links(8, 0, 3)).isEqualTo(2);
        assertThat(Htsim.links(8, 3, 4)).isEqualTo(4);
        assertThat(Htsim.links(8, 15, 16)).isEqualTo(6);

        Files.writeString(program, Files.readString(program).replace(":-0", ":-3"));
        assertThatThrownBy(() -> htsim.run(NetworkCase.INCAST)).hasMessageContaining("sent again");
    }

    private static int core() {
        return Affinity.allowedCores()[0];
    }

    private static List<PlannedFlow> network(VirtualPlan plan) {
        NetworkCase network = NetworkCase.FAT_TREE_128;
        return network.flows(plan.durationNs(network), plan.seed());
    }
}
