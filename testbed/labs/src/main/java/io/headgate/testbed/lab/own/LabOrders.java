package io.headgate.testbed.lab.own;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the orders of a lab, and checks whether its switches can carry them out. */
final class LabOrders {
    static final long PS_PER_MS = 1_000_000_000L;
    private static final long MS_PER_SECOND = 1000;
    private static final int MOST_IN_TURN = 1000;

    private final YamlConfig yaml;
    private final Topology topology;
    private final Map<String, SwitchConfig> now = new LinkedHashMap<>();
    private final List<LinkChange.Port> ports = new ArrayList<>();
    private final List<String> capturing = new ArrayList<>();
    private final Set<String> pictures = new HashSet<>();

    /** An order, with its place in the file. */
    private record Placed(Order order, String at) {}

    /**
     * @param phases of the lab, each of which has a picture by its name
     */
    LabOrders(YamlConfig yaml, Topology topology, List<LabFile.Phase> phases) {
        this.yaml = yaml;
        this.topology = topology;
        phases.forEach(phase -> pictures.add(OwnLabSpec.word(phase.name())));
    }

    /** Whole milliseconds: no program starts more exactly. */
    static long ms(YamlConfig yaml, String at, long ps) {
        if (ps % PS_PER_MS != 0) {
            yaml.refuse(at, yaml.described(at), "whole milliseconds");
        }
        return ps / PS_PER_MS;
    }

    /**
     * The orders of a list by time, behind those of the lists before; what is wrong is recorded in
     * the file.
     */
    List<Order> read(String list, List<LabFile.Order> said, int seconds) {
        if (said.isEmpty() || (now.isEmpty() && !plan())) {
            return List.of();
        }
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < said.size(); i++) {
            LabFile.Order one = said.get(i);
            String at = list + "/" + i;
            long atMs = ms(yaml, at + "/at", one.atPs());
            if (atMs > seconds * MS_PER_SECOND) {
                yaml.refuse(
                        at + "/at", "a time after the lab's " + seconds + " s", "an earlier one");
            }
            if (one.everyPs() > 0 || !one.inTurn().isEmpty()) {
                inTurn(at, one, atMs, seconds * MS_PER_SECOND, placed);
                continue;
            }
            OwnLabSpec.Once once = once(at, one);
            if (isLook(at, one)) {
                placed.add(new Placed(look(at, one, atMs, seconds, once), at));
                continue;
            }
            List<Step> steps = steps(at, one);
            if (!steps.isEmpty()) {
                placed.add(new Placed(new Order(atMs, words(at), steps, once), at));
            }
        }
        placed.sort(Comparator.comparingLong(one -> one.order.atMs()));
        if (yaml.isSound()) {
            placed.forEach(this::check);
        }
        return placed.stream().map(Placed::order).toList();
    }

    /** Where the file has orders that capture, of all lists read. */
    List<String> capturing() {
        return List.copyOf(capturing);
    }

    /** What an order waits for; null: nothing. */
    private OwnLabSpec.@Nullable Once once(String at, LabFile.Order said) {
        if (said.once().isEmpty()) {
            if (yaml.isGiven(at + "/within")) {
                yaml.refuse(at + "/within", "within without once", "once with it");
            }
            return null;
        }
        List<String> names = Arithmetic.measures(said.once());
        if (names == null) {
            yaml.refuse(at + "/once");
            return null;
        }
        for (String name : names) {
            if (!LabSeries.isCounter(name, now.keySet())) {
                LabWants.refuseCounter(yaml, at + "/once", name, now.keySet());
            }
        }
        return new OwnLabSpec.Once(said.once(), ms(yaml, at + "/within", said.withinPs()));
    }

    /** Whether an order changes nothing, and only looks. */
    private boolean isLook(String at, LabFile.Order said) {
        return !said.explain().isEmpty()
                || said.capturePs() != null
                || !said.picture().isEmpty()
                || yaml.isGiven(at + "/until");
    }

    private Order look(
            String at, LabFile.Order said, long atMs, int seconds, OwnLabSpec.@Nullable Once once) {
        boolean isWhole = looks(at, said);
        OwnLabSpec.Paused paused = isWhole ? explained(at, said) : null;
        long captureMs = said.capturePs() == null ? 0 : ms(yaml, at + "/capture", said.capturePs());
        if (captureMs > 0) {
            capturing.add(at + "/capture");
        }
        if (once != null && !said.picture().isEmpty()) {
            // Its two ends are times of the run, which a wait does not move.
            yaml.refuse(at + "/once", "once together with picture", "only one of the two");
        }
        OwnLabSpec.Picture picture = isWhole ? picture(at, said, atMs, seconds) : null;
        return new Order(atMs, words(at), List.of(), once, paused, captureMs, picture);
    }

    /** What an order has drawn; null: nothing. */
    private OwnLabSpec.@Nullable Picture picture(
            String at, LabFile.Order said, long atMs, int seconds) {
        if (said.picture().isEmpty()) {
            return null;
        }
        long untilMs = ms(yaml, at + "/until", said.untilPs());
        if (untilMs <= atMs || untilMs > seconds * MS_PER_SECOND) {
            yaml.refuse(
                    at + "/until",
                    yaml.described(at + "/until"),
                    "a time after 'at', and up to the lab's " + seconds + " s");
        }
        if (!pictures.add(OwnLabSpec.word(said.picture()))) {
            yaml.refuse(
                    at + "/picture",
                    "a second " + YamlConfig.quote(said.picture()),
                    "another name");
        }
        return new OwnLabSpec.Picture(said.picture(), atMs, untilMs);
    }

    /** Whether an order that only looks has nothing else. */
    private boolean looks(String at, LabFile.Order said) {
        boolean explains = !said.explain().isEmpty();
        boolean draws = !said.picture().isEmpty();
        int looks = (explains ? 1 : 0) + (said.capturePs() == null ? 0 : 1) + (draws ? 1 : 0);
        boolean isWhole =
                looks == 1
                        && explains == (said.priority() != null)
                        && draws == yaml.isGiven(at + "/until")
                        && isOfNoLink(said)
                        && said.node().isEmpty();
        if (!isWhole) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
        }
        return isWhole;
    }

    private static boolean isOfNoLink(LabFile.Order said) {
        return said.down().isEmpty()
                && said.up().isEmpty()
                && said.link().isEmpty()
                && said.towards() == null
                && said.set().isEmpty();
    }

    /** The port that an order explains; null: none. */
    private OwnLabSpec.@Nullable Paused explained(String at, LabFile.Order said) {
        if (said.explain().isEmpty() || said.priority() == null) {
            return null;
        }
        String[] parts = said.explain().split("/", -1);
        SwitchConfig node = now.get(parts[0]);
        if (node == null || node.ports().stream().noneMatch(port -> port.name().equals(parts[1]))) {
            yaml.refuse(
                    at + "/explain",
                    "no port " + YamlConfig.quote(said.explain()),
                    "a port of a switch, such as s1/p2");
            return null;
        }
        return new OwnLabSpec.Paused(parts[0], parts[1], said.priority());
    }

    /** An order for each time until the end, the settings one after the other. */
    private void inTurn(String at, LabFile.Order said, long fromMs, long endMs, List<Placed> into) {
        List<Map<String, Object>> settings = said.inTurn();
        long everyMs = ms(yaml, at + "/every", said.everyPs());
        boolean isWhole =
                !settings.isEmpty()
                        && everyMs > 0
                        && isOfNoLink(said)
                        && said.once().isEmpty()
                        && said.priority() == null
                        && !isLook(at, said)
                        && !yaml.isGiven(at + "/within");
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
            List<Step> steps = ofSwitch(at, said.node(), settings.get(number % settings.size()));
            into.add(new Placed(new Order(ms, "", steps), at));
            number++;
        }
    }

    private boolean plan() {
        NetworkPlan plan;
        try {
            plan =
                    NetnsNetwork.planned(
                            topology,
                            NetnsNetwork.Options.of("", 1)
                                    .withAdjust(
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

    private List<Step> steps(String at, LabFile.Order said) {
        boolean ofLink = !said.link().isEmpty();
        boolean ofSwitch = !said.node().isEmpty();
        boolean isSet = !said.set().isEmpty();
        int states = (said.down().isEmpty() ? 0 : 1) + (said.up().isEmpty() ? 0 : 1);
        boolean isWhole =
                isSet ? states == 0 && !(ofLink && ofSwitch) : states == 1 && !ofLink && !ofSwitch;
        if (!isWhole || said.priority() != null || (!ofLink && said.towards() != null)) {
            yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
            return List.of();
        }
        if (isSet) {
            return ofLink ? ofLink(at, said) : ofSwitch(at, said.node(), said.set());
        }
        List<Step> steps = new ArrayList<>();
        said.down()
                .forEach(one ->
                        steps.addAll(ofLink(at + "/down", one, LinkChange.ofState(false), null)));
        said.up()
                .forEach(one ->
                        steps.addAll(ofLink(at + "/up", one, LinkChange.ofState(true), null)));
        return steps;
    }

    private List<Step> ofSwitch(String at, String said, Map<String, Object> set) {
        String node = said.isEmpty() ? now.keySet().iterator().next() : said;
        if (!now.containsKey(node) || (said.isEmpty() && now.size() > 1)) {
            yaml.refuse(
                    said.isEmpty() ? at : at + "/switch",
                    said.isEmpty()
                            ? "neither link nor switch"
                            : "no switch " + YamlConfig.quote(node),
                    "a switch of the topology: " + String.join(", ", now.keySet()));
            return List.of();
        }
        return List.of(new Step(node, List.of(), set));
    }

    private List<Step> ofLink(String at, LabFile.Order said) {
        Map<String, String> settings = new LinkedHashMap<>();
        said.set().forEach((key, value) -> settings.put(key, String.valueOf(value)));
        try {
            return ofLink(at + "/link", said.link(), LinkChange.of(settings), said.towards());
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
                yaml.refuse(placed.at, e);
                return;
            }
        }
    }
}
