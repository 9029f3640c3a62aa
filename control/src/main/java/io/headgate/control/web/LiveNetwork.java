package io.headgate.control.web;

import io.headgate.control.counters.CounterFile;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.PausedNetwork;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The switches that run on this machine, together with what joins them: their counters from the
 * files that everybody may read, the rest asked of them once a second.
 */
public final class LiveNetwork implements WebSource {
    /** From then on a stopped queue may be in a deadlock, and is followed to its root. */
    private static final long LONG_STOP_NS = 200_000_000;

    private static final String STOPPED_NOW = Egress.STOPPED_NOW_NS.label(0).replaceFirst("0$", "");

    private record Watched(
            String name, Object file, CounterReader counters, List<PortView> ports) {}

    /** A queue that has been stopped for long. */
    private record Stopped(String node, String port, int priority, long ns) {}

    private final List<Path> bases;
    private final Predicate<SwitchClient.Running> isMeant;
    private final long startNs = System.nanoTime();
    private final String title;
    private List<Watched> watched = List.of();
    private volatile Now now;
    private volatile String deadlock = "null";

    private LiveNetwork(String title, List<Path> bases, Predicate<SwitchClient.Running> isMeant) {
        this.title = title;
        this.bases = List.copyOf(bases);
        this.isMeant = isMeant;
        this.now = new Now(List.of());
    }

    /** All switches that run here; with names, only those. */
    public static LiveNetwork ofMachine(List<String> names) {
        return new LiveNetwork(
                names.isEmpty() ? "switches of this machine" : String.join(", ", names),
                RunDirectory.bases(),
                running -> names.isEmpty() || names.contains(running.name()));
    }

    /** The switches that this process runs, now or later. */
    public static LiveNetwork ofThisProcess(String title) {
        long own = ProcessHandle.current().pid();
        return new LiveNetwork(
                title,
                List.of(RunDirectory.base()),
                running -> Objects.equals(RunDirectory.pid(running.base(), running.name()), own));
    }

    private final class Now implements Lines {
        private final StateLines lines;

        Now(List<Watched> watched) {
            List<PortView> ports = new ArrayList<>();
            List<StateLines.Counted> counters = new ArrayList<>();
            for (Watched one : watched) {
                ports.addAll(one.ports);
                counters.add(
                        new StateLines.Counted(
                                one.name, one.counters.entries(), one.counters::value));
            }
            lines = new StateLines(title, true, ports, counters);
        }

        @Override
        public String next() {
            lines.deadlock(deadlock);
            return lines.next(Math.floorDiv(System.nanoTime() - startNs, 1_000_000) / 1e3);
        }

        @Override
        public String whole() {
            return lines.whole();
        }
    }

    @Override
    public Lines lines() {
        return now;
    }

    @Override
    public void look() {
        List<Watched> found = new ArrayList<>();
        for (SwitchClient.Running running : SwitchClient.running(bases)) {
            Watched one = isMeant.test(running) ? watch(running) : null;
            if (one != null) {
                found.add(one);
            }
        }
        if (!isSame(found)) {
            watched = found;
            deadlock = "null";
            now = new Now(found);
        }
        deadlock = findDeadlock();
    }

    private boolean isSame(List<Watched> found) {
        if (found.size() != watched.size()) {
            return false;
        }
        for (int i = 0; i < found.size(); i++) {
            Watched one = found.get(i);
            Watched before = watched.get(i);
            if (!one.file.equals(before.file) || !one.ports.equals(before.ports)) {
                return false;
            }
        }
        return true;
    }

    /** A switch; null if it has just gone, or is just coming. */
    private @Nullable Watched watch(SwitchClient.Running running) {
        Path file = RunDirectory.counters(running.base(), running.name());
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object key = List.of(file, String.valueOf(attributes.fileKey()));
            CounterReader reader = null;
            for (Watched before : watched) {
                if (before.file.equals(key)) {
                    reader = before.counters;
                }
            }
            if (reader == null) {
                reader = CounterFile.open(file);
            }
            return new Watched(running.name(), key, reader, ports(running, reader));
        } catch (IOException | IllegalArgumentException | DaemonException e) {
            return null;
        }
    }

    /** Of another user's switch, only what its counters tell. */
    private static List<PortView> ports(SwitchClient.Running running, CounterReader reader)
            throws DaemonException {
        if (!running.mayAsk()) {
            return reader.entries().stream()
                    .filter(entry -> entry.scope() == Scope.EGRESS)
                    .map(Entry::owner)
                    .distinct()
                    .map(port -> new PortView(running.name(), port, "", 0, 0, List.of()))
                    .toList();
        }
        return Json.list(running.ask("ports", Map.of()), Answers.Port[].class).stream()
                .map(port ->
                        new PortView(
                                running.name(),
                                port.name(),
                                port.peer(),
                                port.rateBps(),
                                port.queueLimitBytes(),
                                port.thresholds()))
                .toList();
    }

    /** Follows the queue that has been stopped longest, if any has been for long. */
    private String findDeadlock() {
        Stopped longest = null;
        for (Watched one : watched) {
            for (Entry entry : one.counters.entries()) {
                if (entry.scope() == Scope.EGRESS && entry.label().startsWith(STOPPED_NOW)) {
                    long ns = one.counters.value(entry);
                    if (ns >= LONG_STOP_NS && (longest == null || ns > longest.ns)) {
                        int priority = entry.label().charAt(STOPPED_NOW.length()) - '0';
                        longest = new Stopped(one.name, entry.owner(), priority, ns);
                    }
                }
            }
        }
        if (longest == null) {
            return "null";
        }
        PauseTrace trace =
                PauseTrace.follow(
                        new PausedNetwork(bases), longest.node, longest.port, longest.priority);
        if (trace.root() != PauseTrace.Root.DEADLOCK) {
            return "null";
        }
        List<String> cycle =
                trace.cycle().stream().map(step -> step.name() + " " + step.priority()).toList();
        return Json.COMPACT.writeValueAsString(Map.of("cycle", cycle, "says", trace.sentence()));
    }

    @Override
    public String explain(String node, String port, int priority, boolean isPausing)
            throws DaemonException {
        boolean isKnown = false;
        for (SwitchClient.Running running : SwitchClient.running(bases)) {
            isKnown |= running.name().equals(node) && isMeant.test(running);
        }
        if (!isKnown) {
            throw new DaemonException("no switch of this name runs here");
        }
        PausedNetwork network = new PausedNetwork(bases);
        PauseTrace trace =
                isPausing
                        ? PauseTrace.behind(network, node, port, priority)
                        : PauseTrace.follow(network, node, port, priority);
        Map<String, Object> answer = new HashMap<>();
        answer.put("root", trace.root().name().toLowerCase(Locale.ROOT));
        answer.put("says", trace.sentence());
        answer.put("steps", trace.steps().stream().map(PauseTrace.Step::describe).toList());
        answer.put("ports", trace.steps().stream().map(PauseTrace.Step::name).toList());
        return Json.COMPACT.writeValueAsString(answer);
    }
}
