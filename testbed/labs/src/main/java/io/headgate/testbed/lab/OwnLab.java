package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Series;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a lab that a user described in a file. If parameters have several values, it makes one run
 * after the other, each with a network of its own.
 */
public final class OwnLab extends Lab {
    private final List<OwnLabSpec> specs;
    private final int times;
    private final List<OwnRun.Result> results = new ArrayList<>();

    /**
     * The result of one run, for comparisons.
     *
     * @param name of the run; empty where there is one
     * @param flows of all phases, in the file's order
     * @param lostFrames anywhere between sockets, where hosts have cards of ours
     * @param configs of the switches
     * @param sent what each port sent since the traffic began, in bits per second
     */
    public record Ran(
            String name,
            List<Iperf3.Outcome> flows,
            long lostFrames,
            List<SwitchConfig> configs,
            List<Series> sent) {
        public Ran {
            flows = List.copyOf(flows);
            configs = List.copyOf(configs);
            sent = List.copyOf(sent);
        }
    }

    /**
     * @param specs of its runs, in their order
     * @param times how often each is made; of several medians are judged
     */
    public OwnLab(
            List<OwnLabSpec> specs,
            int times,
            LabOptions options,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command + " (" + specs.getFirst().name() + ")", out);
        this.specs = List.copyOf(specs);
        this.times = times;
    }

    /** Has the report name its parameters as they were set: they may be called as options are. */
    public void describe(Map<String, String> settings) {
        if (!settings.isEmpty()) {
            report.options(Map.of("parameters", settings));
        }
    }

    @Override
    public RunReport run() throws BedException {
        requireSteering();
        Map<String, String> headlines = new LinkedHashMap<>();
        List<RunMeasures> runs = new ArrayList<>();
        List<RunMeasures> twins = new ArrayList<>();
        for (OwnLabSpec spec : specs) {
            int first = results.size();
            List<RunMeasures> all = new ArrayList<>();
            for (int number = 1; number <= times; number++) {
                all.add(run(times == 1 ? spec : spec.again(number), headlines));
            }
            runs.add(times == 1 ? all.getFirst() : new RunMeasures.Medians(spec, all));
            PhaseOutcome twin = results.get(first).twin();
            if (twin != null) {
                twins.add(new PhaseFindings(spec.virtual(), List.of(twin), report));
            }
        }
        runs.addAll(twins);
        if (!options.shell()) {
            RunFindings findings = new RunFindings(runs, report);
            expected(results, findings.judge());
            for (Figure figure : findings.figures()) {
                files.plot(figure);
            }
            findings.headlinesOfRuns(headlines);
        }
        return finish();
    }

    /** Cards that control rates have queues for flows: says so before the first run. */
    private void requireSteering() throws BedException {
        boolean isNeeded =
                specs.stream()
                        .flatMap(spec -> spec.flows().stream())
                        .anyMatch(flow -> !flow.rateControl().isEmpty());
        Optional<String> whyNot = isNeeded ? TapDevice.whyNoSteering() : Optional.empty();
        if (whyNot.isPresent()) {
            throw new BedException(whyNot.get());
        }
    }

    private PhaseFindings run(OwnLabSpec spec, Map<String, String> headlines) throws BedException {
        boolean isPart = !spec.run().isEmpty();
        if (!isPart && !waits(spec)) {
            return result(new OwnRun(this, spec, report).run(false));
        }
        return result(
                Attempts.of(
                        this,
                        spec.run(),
                        waits(spec),
                        part -> new OwnRun(this, spec, part),
                        part -> add(part, spec, headlines)));
    }

    /** Whether an order of it waits for what may not come. */
    private static boolean waits(OwnLabSpec spec) {
        return spec.orders().stream().anyMatch(order -> order.once() != null);
    }

    private void add(RunReport part, OwnLabSpec spec, Map<String, String> headlines) {
        report.addAll(part, spec.run());
        if (spec.run().isEmpty()) {
            part.headlines().forEach(report::headline);
        } else {
            part.headlines()
                    .forEach((name, value) -> headlines.put(name + ", " + spec.run(), value));
        }
    }

    private PhaseFindings result(OwnRun.Result result) {
        results.add(result);
        return result.phases();
    }

    /** Adds to the report what was expected; nothing if nothing was. */
    private void expected(List<OwnRun.Result> runs, List<Check> ofMeasures) {
        List<Check> checks = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (OwnRun.Result run : runs) {
            String name = run.phases().spec().run();
            checks.addAll(run.checks());
            run.checks().forEach(check -> lines.add(line(name, check)));
        }
        checks.addAll(ofMeasures);
        ofMeasures.forEach(check -> lines.add(line("", check)));
        if (!checks.isEmpty()) {
            report.add(new Section("Expected", checks, String.join("\n", lines)));
        }
    }

    private static String line(String run, Check check) {
        return (check.passed() ? "ok: " : "not so: ")
                + (run.isEmpty() ? "" : run + ": ")
                + check.sentence();
    }

    /** What its runs came to; complete once {@link #run} has ended. */
    public List<Ran> ran() {
        return results.stream().map(OwnLab::ran).toList();
    }

    private static Ran ran(OwnRun.Result of) {
        List<PhaseOutcome> outcomes = of.phases().outcomes();
        return new Ran(
                of.phases().spec().run(),
                outcomes.stream().flatMap(phase -> phase.flows().stream()).toList(),
                outcomes.stream().mapToLong(phase -> Losses.frames(phase.lost())).sum(),
                of.configs(),
                of.looks().sent());
    }
}
