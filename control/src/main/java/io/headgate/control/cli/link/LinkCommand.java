package io.headgate.control.cli.link;

import static io.headgate.control.report.Table.column;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.SetCommand;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.link.LinkChange;
import io.headgate.control.link.LinkRow;
import io.headgate.control.report.Json;
import io.headgate.control.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code headgate link}: shows a lab's links, and changes them while it runs. */
@Command(
        name = "link",
        description = {
            "Shows the links of running labs, or changes one: delay, loss, down, up.",
            "Example: headgate link two-switches s1-s2 delay=5ms loss=1%%",
            "         headgate link s1-s2 down"
        })
public final class LinkCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Parameters(
            arity = "0..*",
            paramLabel = "[LAB] LINK KEY=VALUE",
            description =
                    "The lab (optional if only one has such a link); the link by the names of its"
                            + " ends, such as s1-s2; then down, up, or keys of device.faults with"
                            + " new values, such as delay=5ms loss=1%%.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--towards",
            paramLabel = "NODE",
            description =
                    "Only the direction towards this end of the link; by default both directions.")
    private @Nullable String towards;

    /** An end of a link, and the switch that has it. */
    private record Found(SwitchClient.Running at, LinkRow row) {}

    @Override
    public Integer call() throws DaemonException, CommandFailure {
        List<Found> all = new ArrayList<>();
        for (SwitchClient.Running one : SwitchClient.running(RunDirectory.bases())) {
            if (one.mayAsk()) {
                for (LinkRow row : links(one)) {
                    if (!row.link().isEmpty()) {
                        all.add(new Found(one, row));
                    }
                }
            }
        }
        if (all.isEmpty()) {
            throw new DaemonException(
                    "no lab with named links runs; for a single switch, use 'headgate set' with"
                            + " device.faults of its ports");
        }
        int names = (int) words.stream().takeWhile(word -> isName(word, all)).count();
        List<Found> found = chosen(all, words.subList(0, Math.min(2, names)));
        List<String> change = words.subList(Math.min(2, names), words.size());
        if (change.isEmpty()) {
            print(json.answer(found.stream().map(Found::row).toList(), () -> table(found)));
            return 0;
        }
        if (names == 0) {
            throw CommandFailure.badInput(
                    "'%s' is not a link; there are %s"
                            .formatted(change.getFirst(), String.join(", ", links(all))));
        }
        change(found, change);
        return 0;
    }

    /** The links of a switch; none if it has ended meanwhile. */
    private static List<LinkRow> links(SwitchClient.Running one) throws DaemonException {
        try {
            return Json.list(one.ask("links", Map.of()), LinkRow[].class);
        } catch (DaemonException e) {
            if (e.getCause() instanceof IOException) {
                return List.of();
            }
            throw e;
        }
    }

    /** Whether a word is the name of a lab or a link, which come before the change. */
    private static boolean isName(String word, List<Found> all) {
        return all.stream()
                .anyMatch(one -> one.row.lab().equals(word) || one.row.end().isNamed(word));
    }

    private static List<Found> chosen(List<Found> all, List<String> names) throws CommandFailure {
        List<Found> found = new ArrayList<>(all);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            boolean isLab = names.size() == 2 && i == 0;
            found.removeIf(
                    one -> isLab ? !one.row.lab().equals(name) : !one.row.end().isNamed(name));
            if (found.isEmpty() && names.size() == 1) {
                all.stream().filter(one -> one.row.lab().equals(name)).forEach(found::add);
            }
            if (found.isEmpty()) {
                throw CommandFailure.badInput(
                        "there is no %s '%s'; there are the links %s"
                                .formatted(
                                        isLab ? "lab" : "link",
                                        name,
                                        String.join(", ", links(all))));
            }
        }
        return found;
    }

    private static Set<String> links(List<Found> found) {
        Set<String> names = new TreeSet<>();
        found.forEach(one -> names.add(one.row.link()));
        return names;
    }

    private static String table(List<Found> found) {
        record Way(LinkRow row, String towards, String happens, long lost) {}
        List<Way> ways = new ArrayList<>();
        for (Found one : found) {
            LinkRow row = one.row;
            ways.add(new Way(row, row.near(), row.towardsHere(), row.lostHere()));
            if (row.farHost()) {
                ways.add(new Way(row, row.far(), row.towardsFar(), row.lostFar()));
            }
        }
        return Table.of(
                        ways,
                        column("lab", way -> way.row.lab()),
                        column("link", way -> way.row.link()),
                        column("towards", Way::towards),
                        column("state", way -> way.row.up() ? "up" : "down"),
                        column("what happens", Way::happens),
                        column(">lost (frames)", Way::lost))
                .toString();
    }

    private void change(List<Found> ends, List<String> said)
            throws CommandFailure, DaemonException {
        if (ends.stream().map(one -> one.row.lab() + " " + one.row.link()).distinct().count() > 1) {
            throw CommandFailure.badInput(
                    "several links fit: %s; name one, and its lab if several labs have it"
                            .formatted(String.join(", ", links(ends))));
        }
        Map<String, SwitchClient.Running> switches = new LinkedHashMap<>();
        List<LinkChange.Port> ports = new ArrayList<>();
        for (Found end : ends) {
            switches.put(end.at.name(), end.at);
            ports.add(new LinkChange.Port(end.at.name(), end.row.port(), end.row.end()));
        }
        Map<String, List<String>> assignments;
        try {
            assignments = LinkChange.of(said).assignments(ports, towards);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.badInput(Reason.of(e));
        }
        List<String> done = new ArrayList<>();
        for (Map.Entry<String, List<String>> one : assignments.entrySet()) {
            SwitchClient.Running at = switches.get(one.getKey());
            if (at != null) {
                String changed = SetCommand.text(set(at, one.getValue(), done), json.isGiven());
                print(
                        json.isGiven()
                                ? changed
                                : changed.indent(0).replaceAll("(?m)^", at.name() + " "));
                done.add(at.name());
            }
        }
    }

    /** Changes the ends at a switch. */
    private static JsonNode set(
            SwitchClient.Running at, List<String> assignments, List<String> done)
            throws DaemonException {
        try {
            return at.ask("set", Map.of("assignments", assignments));
        } catch (DaemonException | ConfigException e) {
            if (done.isEmpty()) {
                throw e;
            }
            throw new DaemonException(
                    "the link is changed at %s, but not at %s: %s"
                            .formatted(String.join(", ", done), at.name(), Reason.of(e)),
                    e);
        }
    }
}
