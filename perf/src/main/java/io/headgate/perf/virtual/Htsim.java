package io.headgate.perf.virtual;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.perf.forwarding.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The RoCE of csg-htsim (github.com/Broadcom/csg-htsim, {@code htsim_roce} of its Makefile), with
 * PFC at the bounds of ours and the same flows. All flows are sent whole, and the simulator stops
 * if nothing is lost, so the numbers of data frames and acknowledgements on links are known
 * beforehand.
 */
final class Htsim {
    static final String SIMULATOR = "csg-htsim";

    private static final long TIMEOUT_SECONDS = 1_800;
    private static final int PS_PER_NS = 1000;
    private static final int FRAME_NS = 300;

    /** Four hosts at one switch; the rest is there because it wants two tiers. */
    private static final String ONE_SWITCH =
            """
            Nodes 8
            Tiers 2
            Podsize 8

            Tier 0
            Downlink_speed_Gbps 40
            Radix_Down 4
            Radix_Up 4
            Downlink_Latency_ns 1000
            Switch_Latency_ns 0

            Tier 1
            Downlink_speed_Gbps 40
            Radix_Down 2
            Downlink_Latency_ns 1000
            Switch_Latency_ns 0
            """;

    private final Path program;
    private final Path directory;
    private final VirtualPlan plan;

    Htsim(Path program, Path directory, VirtualPlan plan) {
        this.program = program;
        this.directory = directory;
        this.plan = plan;
    }

    /** Whether it has such a network: its fat trees have links of one rate. */
    static boolean has(NetworkCase network) {
        return network != NetworkCase.LEAF_SPINE_90;
    }

    /** Links from host to host, of a fat tree whose switches have {@code radix} ports. */
    static int links(int radix, int from, int to) {
        int half = radix / 2;
        if (from / half == to / half) {
            return 2;
        }
        return from / (half * half) == to / (half * half) ? 4 : 6;
    }

    Map<String, String> run(NetworkCase network) throws BenchException {
        List<PlannedFlow> flows = flows(network);
        long frames = 0;
        long hops = 0;
        for (PlannedFlow flow : flows) {
            frames += flow.frames();
            hops += 2 * flow.frames() * links(network.radix(), flow.source(), flow.destination());
        }
        Path log = directory.resolve("htsim-" + network.word() + ".log");
        long startNs = System.nanoTime();
        String said = Commands.run(command(network, flows), log, TIMEOUT_SECONDS);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        long finished = said.lines().filter(line -> line.contains(" finished at ")).count();
        if (finished != flows.size() || !said.contains("Rtx: 0")) {
            throw new BenchException(
                    "%s: %d of %d flows finished, or frames were sent again: see %s"
                            .formatted(SIMULATOR, finished, flows.size(), log));
        }
        return Map.of(
                "hops", Long.toString(hops),
                "delivered", Long.toString(frames),
                "dropped", "0",
                "setUpSeconds", "0",
                "runSeconds", Double.toString(seconds),
                "wallSeconds", Double.toString(seconds),
                "peakBytes", "-1");
    }

    /** Ours; of flows without end as much as the link that they share carries. */
    private List<PlannedFlow> flows(NetworkCase network) {
        long durationNs = plan.durationNs(network);
        List<PlannedFlow> planned = network.flows(durationNs, plan.seed());
        long share = Math.max(1, durationNs / FRAME_NS / planned.size());
        return planned.stream()
                .map(flow ->
                        flow.frames() == PlannedFlow.ENDLESS
                                ? new PlannedFlow(
                                        flow.startNs(), flow.source(), flow.destination(), share)
                                : flow)
                .toList();
    }

    /** Writes what it reads; answers the command. */
    List<String> command(NetworkCase network, List<PlannedFlow> flows) throws BenchException {
        Path matrix = directory.resolve(network.word() + ".cm");
        Path topology = directory.resolve(network.word() + ".topo");
        boolean isOne = network == NetworkCase.INCAST;
        int nodes = isOne ? 8 : network.topology().hosts().size();
        StringBuilder text = new StringBuilder();
        text.append("Nodes ").append(nodes).append("\nConnections ").append(flows.size());
        for (PlannedFlow flow : flows) {
            text.append(
                    "\n%d->%d start %d size %d"
                            .formatted(
                                    flow.source(),
                                    flow.destination(),
                                    flow.startNs() * PS_PER_NS,
                                    flow.frames() * NetworkCase.WIRE_BYTES));
        }
        try {
            Files.writeString(matrix, text.append('\n'));
            Files.writeString(topology, ONE_SWITCH);
        } catch (IOException failure) {
            throw new BenchException("cannot write " + matrix, failure);
        }
        List<String> command = new ArrayList<>();
        // It leaves idmap.txt where it runs.
        command.addAll(List.of("env", "-C", directory.toString()));
        command.addAll(List.of("taskset", "-c", Integer.toString(plan.core())));
        command.add(program.toAbsolutePath().toString());
        command.addAll(isOne ? List.of("-topo", topology.toString()) : List.of("-tiers", "3"));
        // Frames of 1,500 bytes on the wire; pauses from 40 of them on, up to 38. Its own kind of
        // queue at hosts ends the run at the first pause.
        command.addAll(
                Commands.words(
                        "-host_queue_type prio -queue_type lossless_input -q 1000 -linkspeed 40000"
                                + " -hop_latency 1 -pfc_thresholds 38 40 -strat ecmp_host -paths"
                                + " 64"));
        command.addAll(
                List.of(
                        "-nodes",
                        Integer.toString(nodes),
                        "-mtu",
                        Integer.toString(NetworkCase.WIRE_BYTES),
                        "-end",
                        Long.toString(100_000 + plan.durationNs(network) / 100)));
        command.addAll(
                List.of("-tm", matrix.toString(), "-o", directory.resolve("htsim.out").toString()));
        return command;
    }
}
