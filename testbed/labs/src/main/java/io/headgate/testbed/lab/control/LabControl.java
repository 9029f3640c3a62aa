package io.headgate.testbed.lab.control;

import io.headgate.config.ConfigException;
import io.headgate.config.FrameGrowth;
import io.headgate.config.HostConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.Json;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.testbed.netns.BedException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rate control by its name, with what ports need for it, in the words of configuration files.
 * What is published for links of 40 Gb/s is slowed down to the lab's: rates are divided, times are
 * multiplied, bytes stay.
 *
 * @param name by which a person asks for it
 * @param goesByMarks whether packets must say that they can be marked
 * @param overCredits whether links have credits instead of pauses
 * @param use the control itself
 * @param everywhere mechanisms of hosts' cards and switches, below {@code congestion}: those that
 *     add to frames
 * @param atSwitches all mechanisms of switches' ports
 */
public record LabControl(
        String name,
        boolean goesByMarks,
        boolean overCredits,
        Mechanisms.Use use,
        Map<String, Object> everywhere,
        Map<String, Object> atSwitches) {
    /** Rate of the links that keys are published for. */
    public static final long PUBLISHED_BPS = 40_000_000_000L;

    private static final String SOURCE = "the lab's options";

    /** A control with keys or ports that are not its usual ones, some under a name of their own. */
    private enum Variant {
        /** With a bound on p, which otherwise takes the whole run to fall after the first queue. */
        DCQCN_PI("dcqcn", "", "{pi: {most: 0.1}}"),
        /** With the only table that is published. */
        IB_CC("ib-cc", "{table: psm}", ""),
        TIMELY_PATCHED("timely", "{rules: patched, delta: 40Mbps, least-rate: 4Gbps}", "");

        private final String control;
        private final String keys;
        private final String ports;

        Variant(String control, String keys, String ports) {
            this.control = control;
            this.keys = keys;
            this.ports = ports;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private static @Nullable Variant of(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.word().equals(name))
                    .findAny()
                    .orElse(null);
        }
    }

    public LabControl {
        everywhere = Map.copyOf(everywhere);
        atSwitches = Map.copyOf(atSwitches);
    }

    /** {@code {name: {…}}}, below {@code rate-control} or {@code control}. */
    public String atHosts() {
        return text(Map.of(use.name(), said(use)));
    }

    /** Names of all controls that there are, also those of jars, and of variants. */
    public static List<String> names() {
        Stream<String> registered =
                MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream().map(Mechanism::name);
        Stream<String> variants = Arrays.stream(Variant.values()).map(Variant::word);
        return Stream.concat(registered, variants).distinct().sorted().toList();
    }

    /**
     * The one of a name.
     *
     * @param keys its configuration; empty: what is published
     * @param ports what ports have below {@code congestion}; empty: what the control asks for
     * @param rateBps of the lab's links
     * @throws BedException if the text of an option makes no sense, in one sentence
     */
    public static LabControl of(String name, String keys, String ports, long rateBps)
            throws BedException {
        Variant variant = Variant.of(name);
        String control = variant == null ? name : variant.control;
        Mechanism<?> found = MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, control);
        if (!(found instanceof RateControlMechanism<?> mechanism)) {
            throw new BedException(
                    "--with '%s' is not known: %s are allowed"
                            .formatted(name, String.join(", ", names())));
        }
        int slower = (int) Math.max(1, PUBLISHED_BPS / rateBps);
        try {
            Mechanisms.Use host =
                    host(
                            control,
                            first(
                                    keys,
                                    variant == null ? "" : variant.keys,
                                    mechanism.keysWhereSlowed()));
            String congestion =
                    first(ports, variant == null ? "" : variant.ports, mechanism.atSwitches());
            Map<String, Object> everywhere = new LinkedHashMap<>();
            Map<String, Object> atSwitches = new LinkedHashMap<>();
            for (Mechanisms.Use use : points(congestion, mechanism.needsCredits())) {
                Map<String, Object> said = said(use.scaled(slower));
                atSwitches.put(use.name(), said);
                if (MechanismRegistry.find(use.kind(), use.name()) instanceof FrameGrowth.Grower) {
                    everywhere.put(use.name(), said);
                }
            }
            return new LabControl(
                    name,
                    mechanism.needsMarks(),
                    mechanism.needsCredits(),
                    host.scaled(slower),
                    everywhere,
                    atSwitches);
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    /**
     * The one of a lab's file: its keys as they stand, and what it leaves out as it is published,
     * slowed down.
     *
     * @param keys may be empty
     * @param rateBps of the sender's link
     * @throws BedException if the keys make no sense together, in one sentence
     */
    public static LabControl ofFile(String name, Map<String, Object> keys, long rateBps)
            throws BedException {
        LabControl usual = of(name, keys.isEmpty() ? "" : text(keys), "", rateBps);
        if (keys.isEmpty()) {
            return usual;
        }
        Map<String, Object> all = new LinkedHashMap<>(said(usual.use));
        all.putAll(keys);
        try {
            return new LabControl(
                    name,
                    usual.goesByMarks,
                    usual.overCredits,
                    host(name, text(all)),
                    usual.everywhere,
                    usual.atSwitches);
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    private static String first(String asked, String variant, String usual) {
        return asked.isEmpty() ? variant.isEmpty() ? usual : variant : asked;
    }

    private static Mechanisms.Use host(String name, String keys) {
        return read("{%s: %s}".formatted(name, keys));
    }

    /** What {@link #atHosts} says. */
    public static Mechanisms.Use read(String atHosts) {
        HostConfig read =
                HostConfigReader.read(
                        ("{name: hosts, hosts: [{name: h1, tap: {interface: t}, device: {afpacket:"
                                        + " {interface: p}}, rate: %dbps, rate-control: %s}]}")
                                .formatted(PUBLISHED_BPS, atHosts),
                        SOURCE);
        return read.nics().getFirst().rateControl().of(Mechanism.Kind.RATE_CONTROL).getFirst();
    }

    private static List<Mechanisms.Use> points(String congestion, boolean overCredits) {
        SwitchConfig read =
                SwitchConfigReader.read(
                        ("{name: s1, address: 10.99.0.254/24, ports: [{name: p1, device: {tap:"
                                        + " {interface: t}}, rate: %dbps%s, congestion: %s}]}")
                                .formatted(
                                        PUBLISHED_BPS,
                                        overCredits ? ", flow-control: credits, lossless: [3]" : "",
                                        congestion),
                        SOURCE);
        return read.ports().getFirst().mechanisms().of(Mechanism.Kind.CONGESTION_POINT);
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
