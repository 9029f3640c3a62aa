package io.headgate.testbed.lab.own;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.read.SwitchChange;
import io.headgate.config.read.SwitchPatch;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.control.link.LinkChange;
import io.headgate.control.link.LinkEnd;
import io.headgate.testbed.lab.own.OwnLabSpec.Order;
import io.headgate.testbed.lab.own.OwnLabSpec.Step;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the orders of a lab, and looks whether its switches can carry them out. */
final class LabOrders {
    static final long PS_PER_MS = 1_000_000_000L;
    private static final long MS_PER_SECOND = 1000;
    private static final int MOST_IN_TURN = 1000;

    private final YamlConfig yaml;
    private final Topology topology;
    private final Map<String, SwitchConfig> now = new LinkedHashMap<>();
    private final List<LinkChange.Port> ports = new ArrayList<>();

    /** An order, and where it stands. */
    private record Placed(Order order, String at) {}

    LabOrders(YamlConfig yaml, Topology topology) {
        this.yaml = yaml;
        this.topology = topology;
    }

    /** Whole milliseconds: no program starts more exactly. */
    static long ms(YamlConfig yaml, String at) {
        long ps = yaml.quantity(at, Quantity.DELAY, 0);
        if (ps % PS_PER_MS != 0) {
            yaml.refuse(at, yaml.described(at), "whole milliseconds");
        }
        return ps / PS_PER_MS;
    }

    /**
     * The orders of a list by time, behind those of the lists before; what is wrong is recorded in
     * the file.
     */
    List<Order> read(String list, int seconds) {
        List<String> items = yaml.items(list);
        if (items.isEmpty() || (now.isEmpty() && !plan())) {
            return List.of();
        }
        List<Placed> placed = new ArrayList<>();
        for (String at : items) {
            long atMs = ms(yaml, at + "/at");
            if (atMs > seconds * MS_PER_SECOND) {
                yaml.refuse(
                        at + "/at", "a time behind the lab's " + seconds + " s", "an earlier one");
            }
            if (yaml.isGiven(at + "/every") || yaml.isGiven(at + "/in-turn")) {
                inTurn(at, atMs, seconds * MS_PER_SECOND, placed);
                continue;
            }
            OwnLabSpec.Once once = once(at);
            if (yaml.isGiven(at + "/explain") || yaml.isGiven(at + "/capture")) {
                OwnLabSpec.Paused paused = looks(at) ? explained(at) : null;
                long captureMs = ms(yaml, at + "/capture");
                placed.add(
                        new Placed(
                                new Order(atMs, words(at), List.of(), once, paused, captureMs),
                                at));
                continue;
            }
            List<Step> steps = steps(at);
            if (!steps.isEmpty()) {
                placed.add(new Placed(new Order(atMs, words(at), steps, once, null, 0), at));
            }
        }
        placed.sort(Comparator.comparingLong(one -> one.order.atMs()));
        if (yaml.isSound()) {
            placed.forEach(this::check);
        }
        return placed.stream().map(Placed::order).toList();
    }

    /** What an order waits for; null: nothing. */
    private OwnLabSpec.@Nullable Once once(String at) {
        String holds = yaml.text(at + "/once", "");
        if (holds.isEmpty()) {
            if (yaml.isGiven(at + "/within")) {
                yaml.refuse(at + "/within", "within without once", "once with it");
            }
            return null;
        }
        List<String> names = Arithmetic.measures(holds);
        if (names == null) {
            yaml.refuse(at + "/once");
            return null;
        }
        for (String name : names) {
            if (!LabSeries.isCounter(name, now.keySet())) {
                LabWants.refuseCounter(yaml, at + "/once", name, now.keySet());
            }
        }
        return new OwnLabSpec.Once(
                holds, yaml.isGiven(at + "/within") ? ms(yaml, at + "/within") : MS_PER_SECOND);
    }

    /** Whether an order that only looks has nothing else. */
    private boolean looks(String at) {
        boolean explains = yaml.isGiven(at + "/explain");
        boolean isWhole =
                explains != yaml.isGiven(at + "/capture")
                        && explains == yaml.isGiven(at + "/priority")
                        && Stream.of("down", "up", "link", "towards", "switch", "set")
                                .noneMatch(key -> yaml.isGiven(at + "/" + key));
        if (!isWhole) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
        }
        return isWhole;
    }

    /** The port that an order explains; null: none. */
    private OwnLabSpec.@Nullable Paused explained(String at) {
        if (!yaml.isGiven(at + "/explain")) {
            return null;
        }
        String[] parts = yaml.text(at + "/explain", "").split("/", -1);
        SwitchConfig node = now.get(parts[0]);
        if (node == null || node.ports().stream().noneMatch(port -> port.name().equals(parts[1]))) {
            yaml.refuse(
                    at + "/explain",
                    "no port " + YamlConfig.quote(yaml.text(at + "/explain", "")),
                    "a port of a switch, such as s1/p2");
            return null;
        }
        return new OwnLabSpec.Paused(parts[0], parts[1], yaml.count(at + "/priority", 0));
    }

    /** An order for each time until the end, the settings one after the other. */
    private void inTurn(String at, long fromMs, long endMs, List<Placed> into) {
        List<String> settings = yaml.items(at + "/in-turn");
        long everyMs = ms(yaml, at + "/every");
        boolean isWhole =
                !settings.isEmpty()
                        && everyMs > 0
                        && Stream.of("down", "up", "link", "towards", "set", "once", "within")
                                .noneMatch(key -> yaml.isGiven(at + "/" + key));
        if (!isWhole) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
            return;
        }
        if ((endMs - fromMs) / everyMs > MOST_IN_TURN) {
            yaml.refuse(
                    at + "/every",
                    (endMs - fromMs) / everyMs + " orders in turn",
                    "at most " + MOST_IN_TURN + ": a longer time between them");
            return;
        }
        into.add(new Placed(new Order(fromMs, words(at), List.of()), at));
        int number = 0;
        for (long ms = fromMs; ms < endMs; ms += everyMs) {
            List<Step> steps = ofSwitch(at, set(settings.get(number % settings.size())));
            into.add(new Placed(new Order(ms, "", steps), at));
            number++;
        }
    }

    private Map<String, Object> set(String at) {
        Map<String, Object> set = new LinkedHashMap<>();
        if (yaml.place(at).said() instanceof Map<?, ?> said) {
            said.forEach((key, value) -> set.put((String) key, value));
        }
        return set;
    }

    private boolean plan() {
        NetworkPlan plan;
        try {
            plan =
                    NetnsNetwork.planned(
                            topology,
                            NetnsNetwork.Options.of("", 1)
                                    .withPlan(
                                            options -> options.withLinks(PlanOptions.Links.LATE)));
        } catch (BedException e) {
            yaml.refuse("/topology", Reason.of(e), "a network of real frames");
            return false;
        }
        plan.switches().forEach(config -> now.put(config.name(), config));
        ports.addAll(LabLinks.ports(plan));
        return true;
    }

    private String words(String at) {
        StringBuilder words = new StringBuilder();
        for (String key : yaml.keys(at)) {
            if (!key.equals("at")) {
                words.append(words.isEmpty() ? "" : " ").append(key).append(' ');
                words.append(
                        key.equals("set")
                                ? SwitchChange.words(yaml.place(at + "/set").said())
                                : yaml.described(at + "/" + key));
            }
        }
        return words.toString();
    }

    private List<Step> steps(String at) {
        boolean ofLink = yaml.isGiven(at + "/link");
        boolean isSet = yaml.isGiven(at + "/set");
        int states = (yaml.isGiven(at + "/down") ? 1 : 0) + (yaml.isGiven(at + "/up") ? 1 : 0);
        boolean isWhole =
                isSet
                        ? states == 0 && !(ofLink && yaml.isGiven(at + "/switch"))
                        : states == 1 && !ofLink && !yaml.isGiven(at + "/switch");
        if (!isWhole || (!ofLink && yaml.isGiven(at + "/towards"))) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
            return List.of();
        }
        if (!isSet) {
            boolean isUp = yaml.isGiven(at + "/up");
            String list = at + (isUp ? "/up" : "/down");
            List<Step> steps = new ArrayList<>();
            for (String link : yaml.oneOrMore(list, item -> yaml.text(item, ""))) {
                steps.addAll(ofLink(list, link, LinkChange.ofState(isUp), null));
            }
            return steps;
        }
        Map<String, Object> set = set(at + "/set");
        return ofLink ? ofLink(at, set) : ofSwitch(at, set);
    }

    private List<Step> ofSwitch(String at, Map<String, Object> set) {
        String node = yaml.text(at + "/switch", now.keySet().iterator().next());
        if (!now.containsKey(node) || (!yaml.isGiven(at + "/switch") && now.size() > 1)) {
            yaml.refuse(
                    yaml.isGiven(at + "/switch") ? at + "/switch" : at,
                    yaml.isGiven(at + "/switch")
                            ? "no switch " + YamlConfig.quote(node)
                            : "neither link nor switch",
                    "a switch of the topology: " + String.join(", ", now.keySet()));
            return List.of();
        }
        return List.of(new Step(node, List.of(), set));
    }

    private List<Step> ofLink(String at, Map<String, Object> set) {
        Map<String, String> settings = new LinkedHashMap<>();
        set.forEach((key, value) -> settings.put(key, String.valueOf(value)));
        String towards = yaml.isGiven(at + "/towards") ? yaml.text(at + "/towards", "") : null;
        try {
            return ofLink(
                    at + "/link", yaml.text(at + "/link", ""), LinkChange.of(settings), towards);
        } catch (IllegalArgumentException e) {
            yaml.refuse(at + "/set", Reason.of(e), yaml.allowedAt(at + "/set"));
            return List.of();
        }
    }

    private List<Step> ofLink(String at, String name, LinkChange change, @Nullable String towards) {
        List<LinkChange.Port> ends =
                ports.stream().filter(port -> port.end().isNamed(name)).toList();
        if (ends.isEmpty()) {
            yaml.refuse(
                    at,
                    "no link " + YamlConfig.quote(name) + " at a switch",
                    "one of "
                            + String.join(
                                    ", ",
                                    ports.stream()
                                            .map(LinkChange.Port::end)
                                            .map(LinkEnd::link)
                                            .distinct()
                                            .toList()));
            return List.of();
        }
        List<Step> steps = new ArrayList<>();
        change.assignments(ends, towards)
                .forEach((node, all) -> steps.add(new Step(node, all, Map.of())));
        return steps;
    }

    /** Applies an order to the switches as those before it left them. */
    private void check(Placed placed) {
        for (Step step : placed.order.steps()) {
            SwitchConfig before = now.get(step.node());
            if (before == null) {
                throw new IllegalStateException("no switch " + step.node());
            }
            try {
                SwitchPatch.Patched patched =
                        step.assignments().isEmpty()
                                ? SwitchPatch.apply(before, step.set(), "set")
                                : SwitchPatch.apply(before, step.assignments());
                now.put(step.node(), patched.config());
            } catch (ConfigException e) {
                for (ConfigProblem problem : e.problems()) {
                    yaml.refuse(
                            placed.at,
                            (problem.path().isEmpty() ? "" : problem.path() + ": ")
                                    + problem.found(),
                            problem.allowed());
                }
                return;
            }
        }
    }
}
