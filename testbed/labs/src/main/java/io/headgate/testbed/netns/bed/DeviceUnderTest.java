package io.headgate.testbed.netns.bed;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.CounterName;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An external device, tested as a switch between interfaces of this machine. The hosts of an
 * experiment are the tester's cards on these interfaces, the first host on the first; the device
 * must be configured as the experiment describes its switch. Only the tester's observations are
 * known: a counter of the switch's port is that of the card on the other side, if both count the
 * same.
 *
 * @param interfaces in the order of the hosts
 */
public record DeviceUnderTest(List<Interface> interfaces) implements Beds.Runner {
    private static final String KIND = "afpacket:";
    private static final Pattern INTERFACE =
            Pattern.compile("(?:([A-Za-z0-9._@+-]{1,128})/)?([!-$&-.0-9;-~&&[^,]]{1,15})");
    private static final Pattern STARTED = Pattern.compile("frames\\.started\\.p([0-7])");
    private static final String TRANSMITTED = "frames.transmitted";
    private static final Pattern OF_PRIORITY = Pattern.compile("(.+)(\\.p[0-7])");

    /** What a port counts, and what the card on its other side counts then; for each priority. */
    private static final Map<String, String> OTHER_SIDE_BY_PRIORITY =
            Map.of(
                    "pfc.xoff.sent", "pfc.xoff.received",
                    "pfc.refresh.sent", "pfc.refresh.received",
                    "pfc.xon.sent", "pfc.xon.received",
                    "pfc.stopping.now.ns", "stopped.now.ns");

    private static final Map<String, String> OTHER_SIDE =
            Map.of(
                    "bytes.transmitted", "bytes.received",
                    "link.control.transmitted", "link.control.received");

    /**
     * An interface of the tester.
     *
     * @param netns the network namespace it is in; null: this process's
     */
    public record Interface(@Nullable String netns, String name) {}

    public DeviceUnderTest {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * Reads {@code afpacket:eth1,eth2}, where an interface of another network namespace is {@code
     * NETNS/IF}.
     *
     * @throws ScenarioException if it is something else, in a sentence
     */
    public static DeviceUnderTest parse(String text) throws ScenarioException {
        List<Interface> interfaces = new ArrayList<>();
        String list = text.startsWith(KIND) ? text.substring(KIND.length()) : "";
        for (String one : list.split(",", -1)) {
            Matcher matcher = INTERFACE.matcher(one);
            if (matcher.matches()) {
                interfaces.add(new Interface(matcher.group(1), matcher.group(2)));
            } else {
                interfaces.clear();
                break;
            }
        }
        if (interfaces.size() < 2 || new HashSet<>(interfaces).size() < interfaces.size()) {
            throw new ScenarioException(
                    "--device-under-test cannot be '"
                            + Words.shown(text)
                            + "': allowed is afpacket:IF,IF with two different interfaces or more,"
                            + " each as eth1, or as NETNS/eth1 in a network namespace");
        }
        return new DeviceUnderTest(interfaces);
    }

    /**
     * Looks whether the interfaces are there.
     *
     * @throws ScenarioException if one is not, in a sentence
     */
    public void requireThere() throws ScenarioException {
        for (Interface one : interfaces) {
            try {
                LinuxInterface.read(one.netns(), one.name());
            } catch (DeviceException e) {
                throw new ScenarioException("--device-under-test: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public Observation run(Experiment experiment, Cell cell, RunContext context)
            throws ScenarioException {
        return NetnsBed.run(experiment, cell.seed(), cell.scale(), context, this);
    }

    /** What the experiment needs and a tester does not have; empty: nothing. */
    @Override
    public String lacks(Experiment experiment) {
        Topology topology = experiment.topology();
        if (topology.switches().size() != 1) {
            return "it needs " + topology.switches().size() + " switches";
        }
        int hosts = topology.hosts().size();
        if (hosts > interfaces.size()) {
            return "it needs " + hosts + " interfaces, given are " + interfaces.size();
        }
        if (!experiment.orders().isEmpty() || !experiment.linkOrders().isEmpty()) {
            return "it changes the switch's configuration while it runs";
        }
        Set<Long> rates = new HashSet<>();
        topology.links().forEach(link -> rates.add(link.spec().rateBps()));
        return rates.size() > 1 ? "it needs links of different rates" : "";
    }

    /**
     * The counter of the card on the other side of a switch's port that says the same, or the
     * wanted one if it is a card's; null if there is none.
     */
    static @Nullable CounterName seen(CounterName wanted, NetworkPlan plan) {
        int host = host(wanted, plan);
        if (host < 0) {
            boolean isCards =
                    plan.hosts().stream().anyMatch(one -> one.name().equals(wanted.node()));
            return isCards ? wanted : null;
        }
        Matcher matcher = OF_PRIORITY.matcher(wanted.label());
        String label =
                matcher.matches()
                        ? OTHER_SIDE_BY_PRIORITY.get(matcher.group(1))
                        : OTHER_SIDE.get(wanted.label());
        String priority = matcher.matches() ? matcher.group(2) : "";
        return label == null
                ? null
                : new CounterName(plan.hosts().get(host).name(), "wire", "", label + priority);
    }

    /** The host on the other side of a port of a switch; negative if there is none. */
    private static int host(CounterName wanted, NetworkPlan plan) {
        for (int number = 0; number < plan.hosts().size(); number++) {
            String port = "p" + (number + 1);
            boolean isSwitch =
                    plan.switches().stream().anyMatch(one -> one.name().equals(wanted.node()));
            if (isSwitch && wanted.part().equals(port)) {
                return number;
            }
        }
        return -1;
    }

    /**
     * How many frames have come out of a port, from when its receiver took them: for counters of
     * what the port has sent. Null if what came does not say that.
     *
     * @param marks series of what each group's receivers took in each interval
     */
    static @Nullable Series cameOut(
            String counter, NetworkPlan plan, List<FlowSpec> flows, List<Series> marks) {
        CounterName wanted = CounterName.parse(counter);
        int host = host(wanted, plan);
        Matcher started = STARTED.matcher(wanted.label());
        int priority = started.matches() ? started.group(1).charAt(0) - '0' : -1;
        if (host < 0 || (priority < 0 && !wanted.label().equals(TRANSMITTED))) {
            return null;
        }
        Set<String> of = new HashSet<>();
        Set<String> others = new HashSet<>();
        for (FlowSpec flow : flows) {
            boolean isOf =
                    flow.destination() == host
                            && (priority < 0 || flow.shape().dscp() >> 3 == priority);
            (isOf ? of : others).add(flow.name());
        }
        others.retainAll(of);
        if (!others.isEmpty()) {
            return null;
        }
        Series sum = null;
        for (Series one : marks) {
            if (of.stream().anyMatch(group -> one.name().equals("arrived " + group))) {
                double[] values = sum == null ? new double[one.values().length] : sum.values();
                double[] endsUs = new double[values.length];
                double total = 0;
                for (int i = 0; i < values.length; i++) {
                    total += one.values()[i];
                    values[i] += total;
                    endsUs[i] = one.timesUs()[i] + one.timesUs()[0];
                }
                sum = new Series("counter " + counter, "frames", endsUs, values);
            }
        }
        return sum;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(KIND);
        for (Interface one : interfaces) {
            text.append(text.length() > KIND.length() ? "," : "")
                    .append(one.netns() == null ? "" : one.netns() + "/")
                    .append(one.name());
        }
        return text.toString();
    }
}
