package io.headgate.testbed.scenario.bed;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Text;
import io.headgate.config.read.SwitchPatch;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The change to an experiment that is run a second time: flows that are not sent, a link that is
 * down from the beginning, or a different value of a switch's key. Everything else stays the same:
 * a flow that is not sent keeps its place, so that all others keep their addresses and random
 * numbers.
 */
public sealed interface Change {
    /** The parameter of a cell that distinguishes the two runs. */
    String PARAMETER = "what-if";

    /** The value of that parameter for the run without the change. */
    String NOTHING = "nothing";

    /** The allowed forms, for messages. */
    String FORMS =
            "'without flow NAME' ('and NAME' for more), 'without link A-B', or a key of a switch"
                    + " with a value, such as 's1.p4.buffers.xoff=50kB', where '*' is every switch"
                    + " or every port";

    /** Flows by their names, as in {@link FlowNames}, or by the names of whole groups. */
    record WithoutFlows(List<String> names) implements Change {
        /** After the end by more than the nanosecond in which a run ends. */
        private static final long AFTER_PS = 1_000_000;

        public WithoutFlows {
            names = List.copyOf(names);
        }

        @Override
        public Experiment apply(Experiment to) throws ScenarioException {
            FlowNames known = new FlowNames(to);
            Set<String> missing = new TreeSet<>(names);
            missing.removeAll(known.all());
            missing.removeAll(to.groups());
            if (!missing.isEmpty()) {
                throw unknown("flow", missing.iterator().next(), known.all(), "");
            }
            long neverPs = to.durationPs() + AFTER_PS;
            List<FlowSpec> flows = new ArrayList<>();
            for (int i = 0; i < to.flows().size(); i++) {
                FlowSpec flow = to.flows().get(i);
                boolean isOut = isOut(flow.name(), known.ofFlow(i));
                flows.add(isOut ? flow.during(neverPs, neverPs) : flow);
            }
            // What waited for such a flow waits for it no more.
            flows.replaceAll(flow ->
                    flow.withAfter(
                            flow.after().stream()
                                    .filter(one -> flows.get(one.flow()).startPs() < neverPs)
                                    .toList()));
            List<ArrivalSpec> sources = new ArrayList<>();
            for (int i = 0; i < to.arrivals().size(); i++) {
                ArrivalSpec source = to.arrivals().get(i);
                boolean isOut = isOut(source.name(), known.ofSource(i));
                sources.add(isOut ? source.during(neverPs, neverPs) : source);
            }
            return to.withFlows(flows).withArrivals(sources);
        }

        private boolean isOut(String group, String name) {
            return names.contains(group) || names.contains(name);
        }

        @Override
        public String toString() {
            return "without flow " + String.join(" and ", names);
        }
    }

    /** A link by the names of its ends. */
    record WithoutLink(String link) implements Change {
        @Override
        public Experiment apply(Experiment to) throws ScenarioException {
            NetworkPlan plan = NetworkPlan.of(to.topology(), PlanOptions.virtual(1));
            List<String> names = plan.links().stream().map(each -> each.name()).toList();
            if (!names.contains(link)) {
                throw unknown("link", link, names, "");
            }
            List<LinkOrder> orders = new ArrayList<>(List.of(new LinkOrder(0, link, false)));
            to.linkOrders().stream()
                    .filter(order -> !order.link().equals(link))
                    .forEach(orders::add);
            return to.withLinkOrders(orders);
        }

        @Override
        public String toString() {
            return "without link " + link;
        }
    }

    /**
     * A key of a switch.
     *
     * @param node the switch; {@code *}: all
     * @param key key as for {@code headgate set}; {@code *} as its first word means every port
     */
    record Key(String node, String key, String value) implements Change {
        /** A mechanism by its name alone stands in the place of all that the key had. */
        private static final Pattern MECHANISM = Pattern.compile("[a-z][a-z0-9-]*");

        private static final String EVERY = "*";
        private static final String OF_MECHANISMS = "congestion";

        @Override
        public Experiment apply(Experiment to) throws ScenarioException {
            List<String> names =
                    to.topology().switches().stream().map(Topology.Switch::name).toList();
            if (!node.equals(EVERY) && !names.contains(node)) {
                throw unknown("switch", node, names, ", or * for every switch");
            }
            // Reports what is wrong before the run begins.
            for (SwitchConfig config :
                    NetworkPlan.of(to.topology(), PlanOptions.virtual(1)).switches()) {
                try {
                    changed(config);
                } catch (ConfigException e) {
                    throw new ScenarioException(e);
                }
            }
            return to.withModel(to.model().withAdjust(this::changed));
        }

        private SwitchConfig changed(SwitchConfig config) {
            if (!node.equals(EVERY) && !node.equals(config.name())) {
                return config;
            }
            List<String> keys = new ArrayList<>();
            if (key.startsWith(EVERY + ".")) {
                String rest = key.substring(EVERY.length());
                config.ports().forEach(port -> keys.add(port.name() + rest));
            } else {
                keys.add(key);
            }
            SwitchConfig changed = config;
            for (String each : keys) {
                if (each.endsWith("." + OF_MECHANISMS) && MECHANISM.matcher(value).matches()) {
                    changed = SwitchPatch.atRest(changed, List.of(each + "="));
                    changed = SwitchPatch.atRest(changed, List.of(each + "." + value + "={}"));
                } else {
                    changed = SwitchPatch.atRest(changed, List.of(each + "=" + value));
                }
            }
            return changed;
        }

        @Override
        public String toString() {
            return node + "." + key + "=" + value;
        }
    }

    /**
     * Reads a change, in one of the {@link #FORMS}.
     *
     * @throws ScenarioException if it has another form, in a sentence
     */
    static Change parse(String text) throws ScenarioException {
        Matcher without = Pattern.compile("without (flow|flows|link) +(.+)").matcher(text.strip());
        if (without.matches()) {
            String names = without.group(2).strip();
            return without.group(1).equals("link")
                    ? new WithoutLink(names)
                    : new WithoutFlows(List.of(names.split(" +and +")));
        }
        Matcher key = Pattern.compile("([^.=,]+)\\.([^=,]+)=([^,]*)").matcher(text.strip());
        if (!key.matches()) {
            throw new ScenarioException(
                    "a change cannot be '" + Words.shown(text) + "': allowed is " + FORMS);
        }
        return new Key(key.group(1), key.group(2), key.group(3));
    }

    private static ScenarioException unknown(
            String what, String name, List<String> known, String more) {
        return new ScenarioException(
                "no %s is named '%s': allowed is %s%s"
                        .formatted(what, Words.shown(name), Text.oneOf(name, known), more));
    }

    /** The change of a run with these values; null: none. */
    static @Nullable Change of(Values values) throws ScenarioException {
        if (!values.names().contains(PARAMETER)) {
            return null;
        }
        String text = values.text(PARAMETER);
        return text.equals(NOTHING) ? null : parse(text);
    }

    /**
     * The experiment with the change.
     *
     * @throws ScenarioException if the experiment has nothing of the name, or does not allow it
     */
    Experiment apply(Experiment to) throws ScenarioException;
}
