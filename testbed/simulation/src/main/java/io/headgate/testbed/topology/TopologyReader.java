package io.headgate.testbed.topology;

import io.headgate.config.ConfigException;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.PortTraffic;
import io.headgate.config.Reason;
import io.headgate.config.RoutedConfig.Paths.Unit;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.hostagent.rate.RateControlMechanism;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topology from YAML 1.2 (or JSON, which is YAML): either a builder's name with its
 * parameters, or hosts, switches and links. Both forms may add routes and links that are down. All
 * errors are reported together, in one {@link ConfigException}.
 */
public final class TopologyReader {
    /** The allowed forms of a file, with an example. */
    public static final String ALLOWED =
            "a mapping with name and builder, or with name, hosts, switches and links, such as"
                    + " {name: t, builder: {single-switch: {hosts: 4}}}";

    /** The schema of a file; another file's schema may hold it as {@code $ref}. */
    public static final ConfigSchema SCHEMA =
            Schemas.withDefinitions(
                    TopologyFile.class,
                    "topology",
                    "Headgate topology",
                    "A network for a test bed: a builder by name with its parameters, or hosts,"
                            + " switches and links. Keywords with x- are for people and for Headgate,"
                            + " as in the schema of a switch.",
                    ALLOWED);

    private static final String NONE = "none";
    private static final String SHARED = "/memory/shared";
    private static final long PS_PER_NS = 1000;

    private final YamlConfig yaml;
    private final String at;
    private final TopologyFile file;
    private final List<Topology.Host> hosts = new ArrayList<>();
    private final List<Topology.Switch> switches = new ArrayList<>();
    private final List<Topology.Link> links = new ArrayList<>();
    private final List<Topology.Route> routes = new ArrayList<>();

    /** The place in the file of each link and route, and of each host and switch that it lists. */
    private final List<String> linkAt = new ArrayList<>();

    private final List<String> routeAt = new ArrayList<>();
    private String builderAt = "";

    private TopologyReader(YamlConfig yaml, String at) {
        this.yaml = yaml;
        this.at = at;
        Known around = Known.of(Map.of("link", LinkSpec.DEFAULT));
        file =
                Objects.requireNonNull(
                        Section.of(TopologyFile.class).read(yaml.place(at), around),
                        "a topology refuses nothing itself");
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static Topology read(Path file) {
        return read(YamlConfig.read(file, SCHEMA));
    }

    /**
     * Reads a text.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static Topology read(String text, String name) {
        return read(YamlConfig.read(text, name, SCHEMA));
    }

    private static Topology read(YamlConfig yaml) {
        Topology topology = bind(yaml, "");
        yaml.throwIfAny();
        if (topology == null) {
            throw new IllegalStateException("no topology, and nothing wrong");
        }
        return topology;
    }

    /**
     * Reads a topology that is part of a file.
     *
     * @param at its place in the file, as a JSON pointer
     * @return null if something is wrong; the errors are then recorded in {@code yaml}
     */
    public static @Nullable Topology bind(YamlConfig yaml, String at) {
        return new TopologyReader(yaml, at).bind();
    }

    private @Nullable Topology bind() {
        boolean isBuilt = yaml.isGiven(at + "/builder");
        boolean isDrawn = yaml.isGiven(at + "/switches") || yaml.isGiven(at + "/hosts");
        if (isBuilt == isDrawn) {
            yaml.refuse(
                    at,
                    isBuilt ? "a builder, and also hosts or switches" : "neither builder nor hosts",
                    "builder, such as {single-switch: {hosts: 4}}, or hosts, switches and links");
        }
        SwitchConfig.Mode mode = SwitchConfig.Mode.ROUTED;
        if (isBuilt && yaml.isSound()) {
            Topology built = built();
            mode = built == null ? mode : built.mode();
        }
        if (!yaml.isSound()) {
            return null;
        }
        drawn();
        down();
        Topology.Sizes sizes = sizes();
        ports();
        if (!yaml.isSound() || sizes == null) {
            return null;
        }
        for (GraphChecks.Problem problem : GraphChecks.check(hosts, switches, links, routes)) {
            yaml.refuse(place(problem), problem.found(), problem.allowed());
        }
        if (!yaml.isSound()) {
            return null;
        }
        mode = file.mode() == null ? mode : file.mode();
        Unit paths = file.paths().unit();
        if (paths != Unit.FLOW && mode != SwitchConfig.Mode.ROUTED) {
            yaml.refuse(
                    at + "/paths",
                    Codecs.word(paths) + " where switches bridge",
                    "flow, or mode: routed");
        }
        Topology topology =
                new Topology(
                        file.name(),
                        mode,
                        file.paths(),
                        sizes,
                        file.mechanisms(),
                        portTraffic(),
                        hosts,
                        switches,
                        links,
                        routes);
        new LinkEnds(topology, 1).check(yaml, at + SHARED, at + "/ports/buffers");
        return yaml.isSound() ? topology : null;
    }

    private String place(GraphChecks.Problem problem) {
        return switch (problem.section()) {
            case HOSTS -> item("/hosts", problem.index());
            case SWITCHES -> item("/switches", problem.index());
            case LINKS -> linkAt.get(problem.index());
            case ROUTES -> routeAt.get(problem.index());
            case ALL -> at;
        };
    }

    private String item(String list, int index) {
        return builderAt.isEmpty() ? YamlConfig.child(at + list, index) : builderAt;
    }

    /** The network that has a name, to which the file may add links and routes. */
    private @Nullable Topology built() {
        NamedTopology builder = file.builder();
        builderAt = at + "/builder/" + yaml.keys(at + "/builder").getFirst();
        try {
            Topology built =
                    Objects.requireNonNull(builder, "nothing was wrong").build(file.link());
            hosts.addAll(built.hosts());
            switches.addAll(built.switches());
            links.addAll(built.links());
            routes.addAll(built.routes());
            built.links().forEach(link -> linkAt.add(builderAt));
            built.routes().forEach(route -> routeAt.add(builderAt));
            return built;
        } catch (IllegalArgumentException e) {
            yaml.refuse(builderAt, Reason.of(e), yaml.allowedAt(builderAt));
            return null;
        }
    }

    /** Hosts, switches, links and routes by hand. */
    private void drawn() {
        for (int i = 0; i < file.hosts().size(); i++) {
            TopologyFile.Host host = file.hosts().get(i);
            hosts.add(new Topology.Host(host.name()));
            String near = host.at();
            if (near != null) {
                links.add(new Topology.Link(host.name(), near, host.link()));
                linkAt.add(YamlConfig.child(at + "/hosts", i) + "/at");
            }
        }
        switches.addAll(file.switches());
        for (int i = 0; i < file.links().size(); i++) {
            TopologyFile.Link link = file.links().get(i);
            List<String> ends = link.between();
            links.add(new Topology.Link(ends.get(0), ends.get(1), link.spec(), link.cost()));
            linkAt.add(YamlConfig.child(at + "/links", i) + "/between");
        }
        for (int i = 0; i < file.routes().size(); i++) {
            routes.add(file.routes().get(i));
            routeAt.add(YamlConfig.child(at + "/routes", i));
        }
    }

    private void down() {
        for (int i = 0; i < file.down().size(); i++) {
            List<String> ends = file.down().get(i);
            int before = links.size();
            for (int link = links.size() - 1; link >= 0; link--) {
                if (links.get(link).joins(ends.get(0), ends.get(1))) {
                    links.remove(link);
                    linkAt.remove(link);
                }
            }
            if (links.size() == before) {
                yaml.refuse(
                        YamlConfig.child(at + "/down", i),
                        "no link between " + ends.get(0) + " and " + ends.get(1),
                        "two nodes that have a link");
            }
        }
    }

    /** What ports do must fit every link; of those that are alike one is looked at. */
    private void ports() {
        Set<List<Long>> seen = new HashSet<>();
        for (Topology.Link link : links) {
            long rateBps = link.spec().rateBps();
            long delayNs = Math.ceilDiv(link.spec().delayPs(), PS_PER_NS);
            if (yaml.isSound() && seen.add(List.of(rateBps, delayNs))) {
                PortTraffic.read(yaml.place(at + "/ports"), rateBps, file.mtuBytes(), delayNs, 0);
            }
        }
    }

    /** What ports do, also what a rate control says that it needs of them. */
    private PortTraffic portTraffic() {
        String name = file.forControl();
        if (name == null || name.equals(NONE)) {
            return file.ports();
        }
        String place = at + "/for-control";
        if (!(MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name)
                instanceof RateControlMechanism<?> control)) {
            yaml.refuse(
                    place,
                    "the unknown rate control " + YamlConfig.quote(name),
                    yaml.allowedAt(place));
            return file.ports();
        }
        Map<String, Object> keys = new LinkedHashMap<>(file.ports().said());
        if (keys.get("congestion") instanceof Map<?, ?> own && !own.isEmpty()) {
            // Whichever held, somebody would measure ports that he did not mean.
            yaml.refuse(
                    place,
                    name + " although ports have their own congestion",
                    "one of the two; with parameters, each can have a condition, such as"
                            + " congestion: {when: $control = none, red: {}}");
        }
        Object flowControl = keys.get("flow-control");
        if (control.needsCredits() && flowControl != null && !flowControl.equals("credits")) {
            yaml.refuse(
                    place,
                    name + ", which needs credits, but ports have flow-control: " + flowControl,
                    "a control that needs no credits; or ports with flow-control: credits or"
                            + " without this key");
        }
        String credits = control.needsCredits() ? ", flow-control: credits" : "";
        keys.putAll(
                PortTrafficReader.read("{congestion: " + control.atSwitches() + credits + "}")
                        .said());
        return new PortTraffic(keys);
    }

    private Topology.@Nullable Sizes sizes() {
        try {
            return new Topology.Sizes(
                    file.mtuBytes(),
                    file.queueLimitBytes(),
                    file.slotsPerPort(),
                    file.memory().sharedBytes());
        } catch (IllegalArgumentException e) {
            // The schema has looked at each value by itself; what is left is the two together.
            yaml.refuse(
                    at + "/queue-limit",
                    Quantity.SIZE.format(file.queueLimitBytes())
                            + " with an MTU of "
                            + file.mtuBytes(),
                    "at least one frame of the MTU");
            return null;
        }
    }
}
