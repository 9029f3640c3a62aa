package io.headgate.testbed.topology;

import io.headgate.config.ConfigException;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.PortTraffic;
import io.headgate.config.Reason;
import io.headgate.config.RoutedConfig;
import io.headgate.config.RoutedConfig.Paths.Unit;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchMechanismsReader;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.testbed.topology.Topologies.Turn;
import io.headgate.testbed.virtual.link.LinkFaults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topology from YAML 1.2 (or JSON, which is YAML): either a builder by its name with its
 * parameters, or hosts, switches and links; in both cases routes of one's own and links that are
 * down. All errors are reported together, in one {@link ConfigException}.
 */
public final class TopologyReader {
    /** The published schema; another file's schema may hold it as {@code $ref}. */
    public static final ConfigSchema SCHEMA =
            ConfigSchema.load(
                    TopologyReader.class,
                    "headgate-topology.schema.json",
                    PortTrafficReader.SCHEMA,
                    SwitchMechanismsReader.SCHEMA);

    private static final String BUILDER = "/builder";
    private static final String PORTS = "/ports";
    private static final String FOR_CONTROL = "/for-control";
    private static final String NONE = "none";
    private static final String SHARED = "/memory/shared";
    private static final String PATHS = "/paths";
    private static final String GAP = "/flowlet-gap";
    private static final String ENTRIES = "/flowlet-entries";

    private static final long PS_PER_NS = 1000;

    private final YamlConfig yaml;
    private final String at;
    private final List<Topology.Host> hosts = new ArrayList<>();
    private final List<Topology.Switch> switches = new ArrayList<>();
    private final List<Topology.Link> links = new ArrayList<>();
    private final List<Topology.Route> routes = new ArrayList<>();

    /** Where in the file each link and route stands, and each host and switch if they do. */
    private final List<String> linkAt = new ArrayList<>();

    private final List<String> routeAt = new ArrayList<>();
    private String builderAt = "";

    private TopologyReader(YamlConfig yaml, String at) {
        this.yaml = yaml;
        this.at = at;
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
        boolean isBuilt = yaml.isGiven(at + BUILDER);
        boolean isDrawn = yaml.isGiven(at + "/switches") || yaml.isGiven(at + "/hosts");
        if (isBuilt == isDrawn) {
            yaml.refuse(
                    at,
                    isBuilt ? "a builder, and hosts or switches too" : "neither builder nor hosts",
                    "builder, such as {single-switch: {hosts: 4}}, or hosts, switches and links");
            return null;
        }
        SwitchConfig.Mode mode = SwitchConfig.Mode.ROUTED;
        if (isBuilt) {
            Topology built = builder();
            if (built == null) {
                return null;
            }
            mode = built.mode();
            hosts.addAll(built.hosts());
            switches.addAll(built.switches());
            links.addAll(built.links());
            routes.addAll(built.routes());
            built.links().forEach(link -> linkAt.add(builderAt));
            built.routes().forEach(route -> routeAt.add(builderAt));
        } else {
            hosts();
            switches();
        }
        moreLinks();
        moreRoutes();
        down();
        Topology.Sizes sizes = sizes();
        if (yaml.isSound() && sizes != null) {
            ports(sizes.mtuBytes());
        }
        if (!yaml.isSound()) {
            return null;
        }
        List<GraphProblem> problems = GraphChecks.check(hosts, switches, links, routes);
        for (GraphProblem problem : problems) {
            yaml.refuse(place(problem), problem.found(), problem.allowed());
        }
        if (!problems.isEmpty() || sizes == null) {
            return null;
        }
        Topology topology =
                new Topology(
                        yaml.text(at + "/name", ""),
                        yaml.choice(at + "/mode", mode),
                        paths(yaml.choice(at + "/mode", mode)),
                        sizes,
                        SwitchMechanismsReader.bind(yaml, at),
                        portTraffic(),
                        hosts,
                        switches,
                        links,
                        routes);
        new LinkEnds(topology, 1).check(yaml, at + SHARED, at + PORTS + "/buffers");
        return yaml.isSound() ? topology : null;
    }

    private String place(GraphProblem problem) {
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

    // ---- drawn by hand

    private void hosts() {
        for (String host : yaml.items(at + "/hosts")) {
            String name = nodeName(host);
            hosts.add(new Topology.Host(name));
            if (yaml.has(host + "/at")) {
                String near = yaml.text(host + "/at", "");
                addLink(new Topology.Link(name, near, link(host)), host + "/at");
            }
        }
    }

    private void switches() {
        for (String node : yaml.items(at + "/switches")) {
            switches.add(
                    new Topology.Switch(nodeName(node), yaml.integer(node + "/seed-offset", 0)));
        }
    }

    private String nodeName(String node) {
        return yaml.isMapping(node) ? yaml.text(node + "/name", "") : yaml.text(node, "");
    }

    private void addLink(Topology.Link link, String place) {
        links.add(link);
        linkAt.add(place);
    }

    // ---- both

    private void moreLinks() {
        for (String link : yaml.items(at + "/links")) {
            List<String> ends = words(link + "/between");
            if (ends.size() == 2) {
                addLink(
                        new Topology.Link(
                                ends.get(0),
                                ends.get(1),
                                link(link),
                                yaml.count(link + "/cost", 1)),
                        link + "/between");
            }
        }
    }

    private void moreRoutes() {
        for (String route : yaml.items(at + "/routes")) {
            routes.add(
                    new Topology.Route(
                            yaml.text(route + "/at", ""),
                            yaml.text(route + "/to", ""),
                            words(route + "/via")));
            routeAt.add(route);
        }
    }

    private void down() {
        for (String pair : yaml.items(at + "/down")) {
            List<String> ends = words(pair);
            if (ends.size() != 2) {
                continue;
            }
            int before = links.size();
            for (int link = links.size() - 1; link >= 0; link--) {
                if (links.get(link).joins(ends.get(0), ends.get(1))) {
                    links.remove(link);
                    linkAt.remove(link);
                }
            }
            if (links.size() == before) {
                yaml.refuse(
                        pair,
                        "no link between " + ends.get(0) + " and " + ends.get(1),
                        "two nodes that have a link");
            }
        }
    }

    private List<String> words(String list) {
        return yaml.oneOrMore(list, item -> yaml.text(item, ""));
    }

    /** What ports do must fit every link; of those that are alike one is looked at. */
    private void ports(int mtuBytes) {
        Set<List<Long>> seen = new HashSet<>();
        for (Topology.Link link : links) {
            long rateBps = link.spec().rateBps();
            long delayNs = Math.ceilDiv(link.spec().delayPs(), PS_PER_NS);
            if (yaml.isSound() && seen.add(List.of(rateBps, delayNs))) {
                PortTrafficReader.check(yaml, at + PORTS, rateBps, mtuBytes, delayNs);
            }
        }
    }

    /** What ports do, also what a rate control says that it needs of them. */
    private PortTraffic portTraffic() {
        PortTraffic said = PortTrafficReader.bind(yaml, at + PORTS);
        String name = yaml.text(at + FOR_CONTROL, NONE);
        if (name.equals(NONE)) {
            return said;
        }
        if (!(MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name)
                instanceof RateControlMechanism<?> control)) {
            yaml.refuse(
                    at + FOR_CONTROL,
                    "the unknown rate control " + YamlConfig.quote(name),
                    yaml.allowedAt(at + FOR_CONTROL));
            return said;
        }
        String credits = control.needsCredits() ? ", flow-control: credits" : "";
        Map<String, Object> keys = new LinkedHashMap<>(said.said());
        keys.putAll(
                PortTrafficReader.read("{congestion: " + control.atSwitches() + credits + "}")
                        .said());
        return new PortTraffic(keys);
    }

    private RoutedConfig.Paths paths(SwitchConfig.Mode mode) {
        RoutedConfig.Paths paths =
                RoutedConfig.Paths.FLOW.withUnit(yaml.choice(at + PATHS, Unit.FLOW));
        if (paths.unit() != Unit.FLOW && mode != SwitchConfig.Mode.ROUTED) {
            yaml.refuse(
                    at + PATHS,
                    yaml.text(at + PATHS, "") + " where switches bridge",
                    "flow, or mode: routed");
        }
        if (paths.unit() == Unit.FLOWLET) {
            Section<RoutedConfig.Paths> keys = Section.of(RoutedConfig.Paths.class);
            return paths.withGapNs(
                            yaml.quantity(
                                    at + GAP,
                                    Quantity.DURATION,
                                    (long) keys.standard("flowlet-gap")))
                    .withEntries(yaml.count(at + ENTRIES, (int) keys.standard("flowlet-entries")));
        }
        for (String key : List.of(GAP, ENTRIES)) {
            if (yaml.isGiven(at + key)) {
                yaml.refuse(
                        at + key, key.substring(1) + " without flowlets", "paths: flowlet with it");
            }
        }
        return paths;
    }

    private Topology.@Nullable Sizes sizes() {
        Topology.Sizes defaults = Topology.Sizes.DEFAULT;
        int mtuBytes = yaml.count(at + "/mtu", defaults.mtuBytes());
        long limitBytes =
                yaml.quantity(at + "/queue-limit", Quantity.SIZE, defaults.queueLimitBytes());
        try {
            return new Topology.Sizes(
                    mtuBytes,
                    limitBytes,
                    yaml.count(at + "/slots-per-port", 0),
                    yaml.quantity(at + SHARED, Quantity.SIZE, defaults.sharedBytes()));
        } catch (IllegalArgumentException e) {
            // The schema has looked at each value by itself; what is left is the two together.
            yaml.refuse(
                    at + "/queue-limit",
                    Quantity.SIZE.format(limitBytes) + " with an MTU of " + mtuBytes,
                    "at least one frame of the MTU");
            return null;
        }
    }

    /** The link of a mapping that has {@code rate} and {@code delay}, or not. */
    private LinkSpec link(String place) {
        return linkOr(place, common());
    }

    private LinkSpec common() {
        return linkOr(at + "/link", LinkSpec.DEFAULT);
    }

    private LinkSpec linkOr(String place, LinkSpec absent) {
        return new LinkSpec(
                yaml.quantity(place + "/rate", Quantity.RATE, absent.rateBps()),
                yaml.quantity(place + "/delay", Quantity.DELAY, absent.delayPs()),
                yaml.choice(place + "/deliver-at", absent.deliverAt()),
                yaml.choice(place + "/release", absent.release()),
                yaml.flag(place + "/slot-credits", absent.slotCredits()),
                yaml.isMapping(place + "/faults") ? faults(place + "/faults") : absent.faults(),
                yaml.quantity(place + "/header-time", Quantity.DELAY, absent.headerPs()));
    }

    private @Nullable LinkFaults faults(String place) {
        LinkFaults none = LinkFaults.NONE;
        try {
            return new LinkFaults(
                    yaml.choice(place + "/frames", none.kind()),
                    yaml.number(place + "/loss", 0),
                    yaml.number(place + "/corruption", 0),
                    yaml.number(place + "/reordering", 0),
                    yaml.quantity(place + "/reordering-delay", Quantity.DELAY, 0),
                    yaml.number(place + "/repetition", 0),
                    yaml.number(place + "/forgery", 0),
                    yaml.quantity(place + "/jitter", Quantity.DELAY, 0),
                    yaml.quantity(place + "/up", Quantity.DELAY, 0),
                    yaml.quantity(place + "/down", Quantity.DELAY, 0));
        } catch (IllegalArgumentException e) {
            // Each value by itself is right: the schema has looked.
            yaml.refuse(place, Reason.of(e), "up and down both, or neither");
            return null;
        }
    }

    // ---- by name

    private @Nullable Topology builder() {
        List<String> kinds = yaml.keys(at + BUILDER);
        if (kinds.size() != 1 || !yaml.isMapping(at + BUILDER + "/" + kinds.getFirst())) {
            return null; // the schema has said so
        }
        String kind = kinds.getFirst();
        builderAt = at + BUILDER + "/" + kind;
        if (!yaml.isSound()) {
            return null;
        }
        try {
            return build(kind);
        } catch (IllegalArgumentException e) {
            yaml.refuse(builderAt, Reason.of(e), yaml.allowedAt(builderAt));
            return null;
        }
    }

    private @Nullable Topology build(String kind) {
        return switch (kind) {
            case "single-switch" -> Topologies.singleSwitch(count("hosts", 4), part("link"));
            case "dumbbell" ->
                    Topologies.dumbbell(
                            count("left", 2), count("right", 2), part("access"), part("trunk"));
            case "congestion-tree" ->
                    Topologies.congestionTree(
                            count("bursters", 15), count("chain", 2), part("senders"), common());
            case "congestion-spreading" ->
                    Topologies.congestionSpreading(
                            count("remote", 10), count("local", 10), part("link"));
            case "ring" ->
                    Topologies.ring(
                            count("switches", 3),
                            count("hosts-per-switch", 1),
                            yaml.choice(builderAt + "/turn", Turn.SHORTEST),
                            part("access"),
                            part("trunk"));
            case "parking-lot" ->
                    Topologies.parkingLot(count("segments", 2), part("access"), part("trunk"));
            case "multi-bottleneck" ->
                    Topologies.multiBottleneck(count("pairs", 5), part("access"), part("trunk"));
            case "asymmetric" ->
                    Topologies.asymmetric(
                            count("slow", 5),
                            count("fast", 2),
                            part("slow-link"),
                            part("fast-link"),
                            part("trunk"));
            default -> fabric(kind);
        };
    }

    private @Nullable Topology fabric(String kind) {
        return switch (kind) {
            case "leaf-spine" ->
                    Topologies.leafSpine(
                            count("leaves", 2),
                            count("spines", 2),
                            count("hosts-per-leaf", 2),
                            count("links-per-pair", 1),
                            part("access"),
                            part("uplink"));
            case "fat-tree" ->
                    Fabrics.fatTree(
                            count("k", 4),
                            new Fabrics.Shape(
                                    count("levels", 3),
                                    count("oversubscription", 1),
                                    count("core-oversubscription", 1)),
                            part("link"),
                            linkOr(builderAt + "/uplink", part("link")));
            case "rail-optimised" ->
                    Fabrics.railOptimised(
                            count("groups", 2),
                            count("nodes", 2),
                            count("rails", 4),
                            count("spines", 2),
                            part("local"),
                            part("rail"),
                            part("uplink"));
            case "dragonfly" ->
                    Fabrics.dragonfly(
                            count("groups", 5),
                            count("routers", 2),
                            count("hosts-per-router", 2),
                            count("links-per-pair", 1),
                            part("access"),
                            part("local"),
                            part("global"));
            default -> null;
        };
    }

    private int count(String key, int absent) {
        return yaml.count(builderAt + "/" + key, absent);
    }

    private LinkSpec part(String key) {
        return link(builderAt + "/" + key);
    }
}
