package io.headgate.perf.virtual;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.perf.forwarding.OwnJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs a {@link VirtualPlan}: in every round each simulator runs each network, in either order. */
public final class VirtualBenchmark {
    private static final List<String> HEAP = List.of("-Xms256m", "-Xmx3g");
    private static final List<String> OF_SMOKE = List.of("-XX:TieredStopAtLevel=1");

    private final VirtualPlan plan;
    private final Path directory;
    private final Consumer<String> log;
    private final List<String> missing = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private String ns3Version = "";

    /**
     * @param directory an empty one, for programs, networks and logs
     * @param log takes progress, a line at a time
     */
    public VirtualBenchmark(VirtualPlan plan, Path directory, Consumer<String> log) {
        this.plan = plan;
        this.directory = directory;
        this.log = log;
    }

    /** A simulator that runs a network. */
    private interface Simulator {
        Map<String, String> run(NetworkCase network) throws BenchException;
    }

    /** Measures everything. */
    public VirtualResult run() throws BenchException {
        Map<String, Simulator> simulators = simulators();
        List<Trial> trials = new ArrayList<>();
        for (int round = 0; round < plan.rounds(); round++) {
            for (NetworkCase network : plan.networks()) {
                List<Map.Entry<String, Simulator>> order = new ArrayList<>(simulators.entrySet());
                if (!Htsim.has(network)) {
                    order.removeIf(one -> one.getKey().equals(Htsim.SIMULATOR));
                }
                if (round % 2 == 1) {
                    Collections.reverse(order);
                }
                for (int position = 0; position < order.size(); position++) {
                    String name = order.get(position).getKey();
                    Map<String, String> found = order.get(position).getValue().run(network);
                    Trial trial = Trial.of(network, name, round, position, found);
                    if (found.containsKey(Ns3.PROFILE)) {
                        ns3Version = Ns3.version() + ", build profile " + found.get(Ns3.PROFILE);
                    }
                    trials.add(trial);
                    log.accept(
                            String.format(
                                    "round %d of %d, %s, %s: %.2f M hops in %.2f s, %.2f M hops/s",
                                    round + 1,
                                    plan.rounds(),
                                    network.word(),
                                    name,
                                    trial.hops() / 1e6,
                                    trial.runSeconds(),
                                    trial.hopsPerSec() / 1e6));
                }
            }
        }
        Map<String, String> idle = ours("idle", List.of(plan.core()), List.of(IdleHosts.WORD));
        return new VirtualResult(
                plan,
                ns3Version,
                commands,
                missing,
                trials,
                Long.parseLong(idle.getOrDefault("bytesPerHost", "-1")));
    }

    private Map<String, Simulator> simulators() throws BenchException {
        Map<String, Simulator> simulators = new LinkedHashMap<>();
        for (String word : plan.queues()) {
            Queues queues = Queues.of(word).orElseThrow();
            simulators.put(
                    queues.simulator(), network -> ours(network, queues, List.of(plan.core())));
            if (!plan.threadCores().isEmpty()) {
                simulators.put(
                        queues.simulator(plan.threadCores().size()),
                        network -> ours(network, queues, plan.threadCores()));
            }
        }
        Path program = plan.htsim();
        if (program != null) {
            Htsim htsim = new Htsim(program, directory, plan);
            simulators.put(Htsim.SIMULATOR, htsim::run);
            plan.networks().stream()
                    .filter(network -> !Htsim.has(network))
                    .map(network -> Htsim.SIMULATOR + " has no " + network.word())
                    .forEach(missing::add);
        }
        if (plan.ns3().isEmpty()) {
            return simulators;
        }
        Optional<String> whyNot = Ns3.whyNot();
        if (whyNot.isPresent()) {
            missing.add(whyNot.get());
            log.accept(whyNot.get());
            return simulators;
        }
        log.accept("compiling for ns-3");
        Ns3 compiled = Ns3.compile(directory);
        commands.add(compiled.compileCommand());
        for (NetworkCase network : plan.networks()) {
            try {
                Ns3Network.write(
                        network, plan.durationNs(network), plan.seed(), networkFile(network));
            } catch (IOException failure) {
                throw new BenchException("cannot write " + networkFile(network), failure);
            }
        }
        for (String mode : plan.ns3()) {
            simulators.put(
                    "ns-3 " + mode,
                    network ->
                            Program.run(
                                    List.of(plan.core()),
                                    compiled.command(mode, networkFile(network)),
                                    directory.resolve("ns3-" + mode + ".log")));
        }
        return simulators;
    }

    private Path networkFile(NetworkCase network) {
        return directory.resolve(network.word() + ".txt");
    }

    private Map<String, String> ours(NetworkCase network, Queues queues, List<Integer> cores)
            throws BenchException {
        return ours(
                network.word(),
                cores,
                List.of(
                        network.word(),
                        queues.word(),
                        Long.toString(plan.durationNs(network)),
                        Long.toString(plan.seed()),
                        Integer.toString(plan.runs()),
                        Integer.toString(cores.size())));
    }

    private Map<String, String> ours(String name, List<Integer> cores, List<String> arguments)
            throws BenchException {
        List<String> options = new ArrayList<>(HEAP);
        options.addAll(plan.smoke() ? OF_SMOKE : List.of());
        return Program.run(
                cores,
                OwnJvm.command(options, SimulationProcess.class, arguments),
                directory.resolve("headgate-" + name + ".log"));
    }
}
