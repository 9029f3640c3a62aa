package io.headgate.testbed.lab.control;

import io.headgate.config.ConfigException;
import io.headgate.config.HostConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.Json;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.testbed.netns.BedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rate control of a sender in a lab. Parameters that are published for links of 40 Gb/s are
 * slowed down to the lab's links: rates are divided, times are multiplied, bytes stay.
 *
 * @param use the control itself
 * @param atSwitches mechanisms that it needs at switches' ports, below {@code congestion}
 */
public record LabControl(Mechanisms.Use use, Map<String, Object> atSwitches) {
    private static final String CONGESTION = "congestion";

    /** Rate of the links that keys are published for. */
    private static final long PUBLISHED_BPS = 40_000_000_000L;

    private static final String SOURCE = "the lab's options";

    public LabControl {
        atSwitches = Map.copyOf(atSwitches);
    }

    /** {@code {name: {…}}}, below {@code rate-control} or {@code control}. */
    public String atHosts() {
        return text(Map.of(use.name(), said(use)));
    }

    /**
     * The control with a name. Keys that are not given have their published values, slowed down.
     *
     * @param keys may be empty
     * @param arePublished whether these are slowed down, too; else they hold as they stand
     * @param rateBps of the sender's link
     * @throws BedException if the keys make no sense together, in one sentence
     */
    public static LabControl of(
            String name, Map<String, Object> keys, boolean arePublished, long rateBps)
            throws BedException {
        if (!(MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name)
                instanceof RateControlMechanism<?> mechanism)) {
            throw new BedException("'" + name + "' is not a rate control of hosts");
        }
        int slower = slower(rateBps);
        try {
            Mechanisms.Use slowed =
                    host(name, keys.isEmpty() ? mechanism.keysWhereSlowed() : text(keys))
                            .scaled(slower);
            if (!arePublished && !keys.isEmpty()) {
                Map<String, Object> all = new LinkedHashMap<>(said(slowed));
                all.putAll(keys);
                slowed = host(name, text(all));
            }
            return new LabControl(
                    slowed, points(mechanism.atSwitches(), mechanism.needsCredits(), slower));
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    /**
     * Ports whose {@code congestion} is slowed down.
     *
     * @param ports with it as it is published
     * @param rateBps of the slowest link
     * @throws BedException if it makes no sense, in one sentence
     */
    public static PortTraffic slowed(PortTraffic ports, long rateBps) throws BedException {
        if (!(ports.said().get(CONGESTION) instanceof Map<?, ?> published)) {
            return ports;
        }
        boolean overCredits = "credits".equals(ports.said().get("flow-control"));
        Map<String, Object> keys = new LinkedHashMap<>(ports.said());
        try {
            String points = Json.COMPACT.writeValueAsString(published);
            keys.put(CONGESTION, points(points, overCredits, slower(rateBps)));
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
        return new PortTraffic(keys);
    }

    private static int slower(long rateBps) {
        return (int) Math.max(1, PUBLISHED_BPS / rateBps);
    }

    private static Mechanisms.Use host(String name, String keys) {
        return read("{%s: %s}".formatted(name, keys));
    }

    /** The control that a text from {@link #atHosts} describes. */
    public static Mechanisms.Use read(String atHosts) {
        HostConfig read =
                HostConfigReader.read(
                        ("{name: hosts, hosts: [{name: h1, tap: {interface: t}, device: {afpacket:"
                                        + " {interface: p}}, rate: %dbps, rate-control: %s}]}")
                                .formatted(PUBLISHED_BPS, atHosts),
                        SOURCE);
        return read.nics().getFirst().rateControl().of(Mechanism.Kind.RATE_CONTROL).getFirst();
    }

    private static Map<String, Object> points(String congestion, boolean overCredits, int slower) {
        SwitchConfig read =
                SwitchConfigReader.read(
                        ("{name: s1, address: 10.99.0.254/24, ports: [{name: p1, device: {tap:"
                                        + " {interface: t}}, rate: %dbps%s, congestion: %s}]}")
                                .formatted(
                                        PUBLISHED_BPS,
                                        overCredits ? ", flow-control: credits, lossless: [3]" : "",
                                        congestion),
                        SOURCE);
        Map<String, Object> points = new LinkedHashMap<>();
        for (Mechanisms.Use use :
                read.ports().getFirst().mechanisms().of(Mechanism.Kind.CONGESTION_POINT)) {
            Map<String, Object> keys = new LinkedHashMap<>(said(use.scaled(slower)));
            if (!use.isEnabled()) {
                keys.put("enabled", false);
            }
            points.put(use.name(), keys);
        }
        return points;
    }

    @SuppressWarnings("unchecked") // a section is of the record's own class
    private static <R extends Record> Map<String, Object> said(Mechanisms.Use use) {
        R record = (R) use.configuration();
        return ((Section<R>) Section.of(record.getClass())).writeMapping(record, Known.NOTHING);
    }

    private static String wrong(ConfigException found) {
        return found.problems().stream()
                .map(problem ->
                        "%s: found %s; allowed: %s"
                                .formatted(problem.path(), problem.found(), problem.allowed()))
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /** A mapping as a file may have it. */
    public static String text(Map<String, Object> mapping) {
        return Json.COMPACT.writeValueAsString(mapping);
    }
}
