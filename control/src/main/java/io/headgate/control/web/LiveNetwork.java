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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The switches that run on this machine, and the links between them. Their counters come from files
 * that everybody may read; the rest is requested from them once a second.
 */
public final class LiveNetwork implements WebSource {
    /** The time after which a stopped queue may be in a deadlock and is followed to its root. */
    private static final long LONG_STOP_NS = 200_000_000;

    private static final int MOST_FOLLOWED = 16;

    private static final String STOPPED_NOW = Egress.STOPPED_NOW_NS.label(0).replaceFirst("0$", "");

    private record Watched(
            String name, Object file, CounterReader counters, List<PortView> ports) {}

    /** A queue that has been stopped for long. */
    record Stopped(String node, String port, int priority, long ns) {}

    private final List<Path> bases;
    private final Predicate<SwitchClient.Running> isMeant;
    private final long startNs = System.nanoTime();
    private final String title;
    private List<Watched> watched = List.of();
    private Set<String> twice = Set.of();
    private volatile Now now;
    private volatile String deadlock = "null";

    private LiveNetwork(String title, List<Path> bases, Predicate<SwitchClient.Running> isMeant) {
        this.title = title;
        this.bases = List.copyOf(bases);
        this.isMeant = isMeant;
        this.now = new Now(List.of(), Set.of());
    }

    /** All switches that run here; if names are given, only these. */
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
        private final boolean isEmpty;

        Now(List<Watched> watched, Set<String> twice) {
            List<PortView> ports = new ArrayList<>();
            List<StateLines.Counted> counters = new ArrayList<>();
            for (Watched one : watched) {
                ports.addAll(one.ports);
                counters.add(
                        new StateLines.Counted(
                                one.name, one.counters.entries(), one.counters::value));
            }
            isEmpty = ports.isEmpty();
            lines = new StateLines(title + without(twice), true, ports, counters);
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

        @Override
        public boolean isEmpty() {
            return isEmpty;
        }
    }

    @Override
    public Lines lines() {
        return now;
    }

    @Override
    public void look() {
        List<Watched> found = new ArrayList<>();
        Set<String> left = new TreeSet<>();
        for (SwitchClient.Running running :
                oneOfEachName(
                        SwitchClient.running(bases).stream().filter(isMeant).toList(), left)) {
            Watched one = watch(running);
            if (one != null) {
                found.add(one);
            }
        }
        if (!isSame(found) || !left.equals(twice)) {
            watched = found;
            twice = left;
            deadlock = "null";
            now = new Now(found, left);
        }
        deadlock = findDeadlock();
    }

    /**
     * Keeps one switch of each name, since the page identifies switches by name: the user's own
     * before root's, as for questions.
     *
     * @param twice gets the names of the switches that are left out
     */
    static List<SwitchClient.Running> oneOfEachName(
            List<SwitchClient.Running> running, Set<String> twice) {
        Map<String, SwitchClient.Running> byName = new LinkedHashMap<>();
        for (SwitchClient.Running one : running) {
            if (byName.putIfAbsent(one.name(), one) != null) {
                twice.add(one.name());
            }
        }
        return List.copyOf(byName.values());
    }

    /** The part of the title about switches that are left out. */
    private static String without(Set<String> twice) {
        return twice.isEmpty()
                ? ""
                : " (your own "
                        + String.join(", ", twice)
                        + "; root's switch of this name is not shown)";
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

    /** A switch; null if it has just ended, or is just starting. */
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

    /** The ports of a switch; for another user's switch, only the data in its counters. */
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

    private String findDeadlock() {
        List<Stopped> stopped = new ArrayList<>();
        for (Watched one : watched) {
            for (Entry entry : one.counters.entries()) {
                if (entry.scope() == Scope.EGRESS && entry.label().startsWith(STOPPED_NOW)) {
                    long ns = one.counters.value(entry);
                    if (ns >= LONG_STOP_NS) {
                        int priority = entry.label().charAt(STOPPED_NOW.length()) - '0';
                        stopped.add(new Stopped(one.name, entry.owner(), priority, ns));
                    }
                }
            }
        }
        PauseTrace trace = deadlock(stopped, new PausedNetwork(bases));
        if (trace == null) {
            return "null";
        }
        List<String> cycle =
                trace.cycle().stream().map(step -> step.name() + " " + step.priority()).toList();
        return Json.COMPACT.writeValueAsString(Map.of("cycle", cycle, "says", trace.sentence()));
    }

    /**
     * Follows stopped queues, the longest-stopped first, until one is in a deadlock or waits for
     * one: the longest stop may be the fault of a host. A queue that was passed on the way from
     * another one has the same root.
     *
     * @return null if none is found
     */
    static @Nullable PauseTrace deadlock(List<Stopped> stopped, PauseTrace.Network network) {
        Set<String> seen = new HashSet<>();
        int followed = 0;
        for (Stopped one :
                stopped.stream()
                        .sorted(Comparator.comparingLong(Stopped::ns).reversed())
                        .toList()) {
            if (followed == MOST_FOLLOWED) {
                break;
            }
            if (seen.add(one.node + ":" + one.port + " " + one.priority)) {
                followed++;
                PauseTrace trace = PauseTrace.follow(network, one.node, one.port, one.priority);
                if (trace.root() == PauseTrace.Root.DEADLOCK) {
                    return trace;
                }
                trace.steps().forEach(step -> seen.add(step.name() + " " + step.priority()));
            }
        }
        return null;
    }

    @Override
    public String explain(String node, String port, int priority, boolean isPausing)
            throws DaemonException {
        boolean isKnown = false;
        for (SwitchClient.Running running : SwitchClient.running(bases)) {
            isKnown |= running.name().equals(node) && isMeant.test(running);
        }
        if (!isKnown) {
            throw new DaemonException("no switch with this name runs here");
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
