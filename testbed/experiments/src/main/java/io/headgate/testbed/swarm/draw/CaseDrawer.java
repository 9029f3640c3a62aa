package io.headgate.testbed.swarm.draw;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Mechanisms;
import io.headgate.config.TrafficConfig;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Draws a case from a seed. The unit of drawn times is the time of a frame of the largest size at
 * the rate of most links, so that cases at all rates are similar and equally long.
 */
public final class CaseDrawer {
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long PS_PER_NS = 1000;
    private static final int OVERHEAD_BYTES = 46;

    /** The features that can be left out of all cases: each has its own generator. */
    public static final List<String> OPTIONAL =
            List.of(
                    MarkingDrawer.NAME,
                    SharedBufferDrawer.NAME,
                    OrderDrawer.NAME,
                    RoccDrawer.NAME,
                    DetectorDrawer.NAME,
                    DcqcnDrawer.NAME,
                    ControlDrawer.NAME,
                    ReliableDrawer.NAME,
                    NoticeFaultDrawer.NAME,
                    EscapeDrawer.NAME,
                    BreakerDrawer.NAME,
                    GfcDrawer.NAME,
                    PolicyDrawer.NAME,
                    TopologyDrawer.PATHS);

    private final long seed;
    private final Set<String> without;
    private final boolean isBlocked;
    private final Draw draw;
    private final long framePs;
    private final long frameNs;
    private final long baseRateBps;
    private final int mtuBytes;

    /** Without credits for each slot. */
    private final Topology plain;

    // Each has a generator of its own, so that one that is left out changes no other.
    private final BlockedDrawer blocked;
    private final TagDrawer tags;
    private final MarkingDrawer marking;
    private final RoccDrawer rocc;
    private final DetectorDrawer detectors;
    private final DcqcnDrawer dcqcn;
    private final ControlDrawer controls;
    private final PolicyDrawer policies;
    private final GfcDrawer gfc;

    private CaseDrawer(long seed, Drawing which) {
        this.seed = seed;
        this.without = which.without();
        this.isBlocked = which.isBlocked();
        this.draw = new Draw(seed, "case");
        this.baseRateBps = draw.oneOf(1L, 10L, 10L, 25L, 40L, 100L) * 1_000_000_000L;
        this.mtuBytes = draw.oneOf(1500, 1500, 1500, 1500, 1500, 576, 576, 9000);
        this.framePs =
                (mtuBytes + OVERHEAD_BYTES)
                        * 8L
                        * (PS_PER_S / 1_000_000)
                        / (baseRateBps / 1_000_000);
        this.frameNs = Math.ceilDiv(framePs, PS_PER_NS);
        this.blocked = new BlockedDrawer(seed);
        TopologyDrawer topologies =
                new TopologyDrawer(new Draw(seed, "topology"), baseRateBps, framePs);
        this.plain =
                isBlocked ? topologies.drawAlike(blocked.shape(), mtuBytes) : drawn(topologies);
        this.tags = new TagDrawer(new Draw(seed, "tags"), plain, isBlocked);
        this.marking = new MarkingDrawer(seed, plain);
        this.rocc = new RoccDrawer(seed, baseRateBps, frameNs, mtuBytes);
        this.detectors = new DetectorDrawer(seed, plain, frameNs);
        this.dcqcn = new DcqcnDrawer(seed, baseRateBps, frameNs, mtuBytes);
        this.controls = new ControlDrawer(seed, plain, baseRateBps);
        this.policies = new PolicyDrawer(seed, plain, isBlocked);
        this.gfc = new GfcDrawer(seed, frameNs, mtuBytes);
    }

    /** The case of a seed: the same each time. */
    public static SwarmCase draw(long seed) {
        return draw(seed, Drawing.ANY);
    }

    /** The case of a seed among those of a drawing: the same each time. */
    public static SwarmCase draw(long seed, Drawing which) {
        return new CaseDrawer(seed, which).draw();
    }

    private SwarmCase draw() {
        long jitterPs = draw.chance(0.2) ? draw.magnitude(1, 2 * framePs) : 0;
        Mechanisms mechanisms = has(MarkingDrawer.NAME) ? marking.mechanisms() : Mechanisms.NONE;
        PortSettings settings =
                withMechanisms(settings(Math.ceilDiv(jitterPs, PS_PER_NS), mechanisms));
        Topology topology = withSlotCredits(settings);
        TrafficDrawer traffic =
                new TrafficDrawer(
                        new Draw(seed, "traffic"), topology, settings, framePs, isBlocked);
        List<Fault> faults =
                new FaultDrawer(
                                new Draw(seed, "faults"),
                                topology,
                                settings,
                                traffic.endPs(),
                                framePs,
                                jitterPs)
                        .draw();
        boolean isTold =
                rocc.isDrawn()
                        || (has(DcqcnDrawer.NAME) && dcqcn.isDrawn())
                        || (has(ControlDrawer.NAME) && controls.isTold());
        if (isTold && has(NoticeFaultDrawer.NAME)) {
            faults = new NoticeFaultDrawer(seed, topology).with(faults);
        }
        List<Order> orders = List.of();
        if (has(OrderDrawer.NAME)) {
            orders = new OrderDrawer(seed, topology, settings, traffic.endPs()).draw(isBlocked);
            orders = has(PolicyDrawer.NAME) ? policies.with(orders, traffic.endPs()) : orders;
        }
        return new SwarmCase(
                seed,
                topology,
                settings,
                draw.oneOf(8, 16, 32),
                slowHosts(topology),
                sent(topology, settings, mechanisms, traffic),
                faults,
                orders,
                traffic.endPs(),
                patiencePs(settings));
    }

    private Topology drawn(TopologyDrawer topologies) {
        Topology drawn = topologies.draw(mtuBytes);
        return has(TopologyDrawer.PATHS)
                ? topologies.withPaths(drawn, new Draw(seed, TopologyDrawer.PATHS))
                : drawn;
    }

    private boolean has(String part) {
        return !without.contains(part);
    }

    private PortSettings withMechanisms(PortSettings own) {
        PortSettings settings = has(RoccDrawer.NAME) ? rocc.on(own) : own;
        settings = has(DetectorDrawer.NAME) ? detectors.on(settings) : settings;
        settings = has(DcqcnDrawer.NAME) ? dcqcn.on(settings) : settings;
        settings = has(ControlDrawer.NAME) ? controls.on(settings) : settings;
        if (has(EscapeDrawer.NAME)) {
            settings = new EscapeDrawer(seed, plain, frameNs).on(settings, isBlocked);
        }
        if (has(BreakerDrawer.NAME) && !isBlocked) {
            settings = new BreakerDrawer(seed, plain, frameNs).on(settings);
        }
        if (has(GfcDrawer.NAME) && !isBlocked) {
            settings = gfc.on(settings);
        }
        return has(PolicyDrawer.NAME) ? policies.on(settings) : settings;
    }

    private List<Stream> sent(
            Topology topology,
            PortSettings settings,
            Mechanisms mechanisms,
            TrafficDrawer traffic) {
        List<Stream> streams = tags.tagged(traffic.draw(), settings.tagging());
        streams = rocc.following(detectors.capable(marking.capable(streams, mechanisms)));
        streams = has(DcqcnDrawer.NAME) ? dcqcn.notified(streams) : streams;
        boolean isControlled = has(ControlDrawer.NAME);
        if (has(ReliableDrawer.NAME)) {
            boolean isNeeded = isControlled && controls.needsReliable();
            streams = new ReliableDrawer(seed, isNeeded).reliable(streams);
        }
        List<Stream> sent = new ArrayList<>(isControlled ? controls.controlled(streams) : streams);
        if (isBlocked) {
            sent.addAll(
                    tags.tagged(
                            blocked.streams(topology, settings, traffic.endPs()),
                            settings.tagging()));
        }
        return sent;
    }

    /** Long enough for a pause to run out, for a credit update, and for many frames to pass. */
    private long patiencePs(PortSettings settings) {
        long slowestNs =
                Math.max(2 * settings.pauseNs(), 2 * settings.credit().periodNs())
                        + 2 * settings.reactionNs();
        FlowControlConfig.Watchdog dog = settings.watchdog();
        if (dog != null) {
            slowestNs = Math.max(slowestNs, 2 * (dog.detectionNs() + dog.restorationNs()));
        }
        if (has(GfcDrawer.NAME) && !isBlocked) {
            slowestNs += gfc.patienceNs();
        }
        return 100 * framePs + slowestNs * PS_PER_NS;
    }

    private PortSettings settings(long extraDelayNs, Mechanisms mechanisms) {
        Map<String, Mode> modes = modes(plain);
        long pauseNs = draw.magnitude(Math.max(10, 4 * frameNs), 400 * frameNs);
        return new PortSettings(
                tags.classification(
                        draw.chance(isBlocked ? 0.97 : 0.85)
                                ? TrafficConfig.Trust.DSCP
                                : TrafficConfig.Trust.PORT,
                        draw.between(0, 7)),
                tags.tagging(),
                lossless(),
                weights(),
                draw.chance(0.1) ? draw.between(10, 90) : 0,
                modes,
                extraDelayNs,
                draw.chance(0.3) ? 0 : draw.magnitude(1, 2 * frameNs),
                thresholds(),
                draw.chance(0.8) ? 100 : draw.between(1, 99),
                pauseNs,
                draw.between(10, 90),
                credit(),
                watchdog(),
                mechanisms,
                DetourSettings.NONE);
    }

    /** Often all links have the same; often those of hosts have none. */
    private Map<String, Mode> modes(Topology topology) {
        Map<String, Mode> modes = new TreeMap<>();
        boolean alike = draw.chance(0.7);
        boolean hostsToo = isBlocked || draw.chance(0.6);
        Mode common = mode();
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    Mode mode = alike ? common : mode();
                    if (hostsToo || !LinkNames.isOfHost(topology, link)) {
                        modes.put(name, mode);
                    }
                });
        return modes;
    }

    private Mode mode() {
        if (isBlocked) {
            return Mode.PFC;
        }
        Mode mode =
                draw.oneOf(Mode.NONE, Mode.PFC, Mode.PFC, Mode.PAUSE, Mode.CREDITS, Mode.CREDITS);
        // With PAUSE every priority has headroom: of the longest frames, more slots than checks
        // can be made of.
        return mode == Mode.PAUSE && mtuBytes > 1500 ? Mode.PFC : mode;
    }

    private List<Integer> lossless() {
        TreeSet<Integer> priorities = new TreeSet<>();
        int count = draw.oneOf(1, 1, 1, 2, 3);
        while (priorities.size() < count) {
            priorities.add(draw.between(0, 7));
        }
        return List.copyOf(priorities);
    }

    /** Strict, round robin, or both as ETS has them. */
    private List<Integer> weights() {
        int kind = draw.between(0, 2);
        List<Integer> weights = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            boolean strict = kind == 0 || (kind == 2 && draw.chance(0.4));
            weights.add(strict ? TrafficConfig.STRICT : draw.between(1, 100));
        }
        return weights;
    }

    private PortSettings.Thresholds thresholds() {
        // Small ones fill up soon, and flows block one another.
        int xoffFrames = draw.between(2, isBlocked ? 6 : 20);
        int xonPercent = draw.between(0, 95);
        Integer alpha = draw.chance(0.4) ? draw.between(-7, 3) : null;
        int reservedFrames = draw.between(0, isBlocked ? 3 : 8);
        int sharedFrames = draw.between(8, isBlocked ? 20 : 60);
        // An empty pool must give a lossy priority a frame, as checks of configurations demand.
        int least = Integer.numberOfLeadingZeros(sharedFrames) - 31;
        PortSettings.Thresholds own =
                new PortSettings.Thresholds(
                        xoffFrames,
                        xonPercent,
                        alpha == null ? null : Integer.valueOf(Math.max(alpha, least)),
                        reservedFrames,
                        sharedFrames,
                        0);
        return has(SharedBufferDrawer.NAME) ? new SharedBufferDrawer(seed).share(own) : own;
    }

    private PortSettings.Credit credit() {
        long periodNs = draw.magnitude(Math.max(100, 2 * frameNs), 60 * frameNs);
        return new PortSettings.Credit(
                draw.oneOf(
                        FlowControlConfig.Credits.Update.PERIODIC,
                        FlowControlConfig.Credits.Update.ON_CHANGE),
                periodNs,
                draw.between(1, periodNs),
                draw.between(0, 7),
                draw.between(0, 7),
                draw.between(1, 20));
    }

    private FlowControlConfig.@Nullable Watchdog watchdog() {
        if (!draw.chance(0.25)) {
            return null;
        }
        long detectionNs = draw.magnitude(10 * frameNs, 500 * frameNs);
        long restorationNs = draw.magnitude(10 * frameNs, 500 * frameNs);
        return new FlowControlConfig.Watchdog(
                draw.oneOf(
                        FlowControlConfig.Watchdog.Action.ALERT,
                        FlowControlConfig.Watchdog.Action.FORWARD,
                        FlowControlConfig.Watchdog.Action.DROP),
                detectionNs,
                restorationNs,
                Math.max(1, Math.min(detectionNs, restorationNs) / draw.between(1, 5)));
    }

    /** Links without flow control may have credits for each slot instead. */
    private Topology withSlotCredits(PortSettings settings) {
        List<Topology.Link> links = new ArrayList<>();
        boolean some = draw.chance(0.15);
        LinkNames.links(plain)
                .forEach((name, link) -> {
                    boolean may = some && settings.modeOf(name) == Mode.NONE;
                    links.add(
                            may && draw.chance(0.7)
                                    ? link.with(
                                            link.spec()
                                                    .withSlotCredits(true)
                                                    .withDeliverAt(LinkSpec.Delivery.TAIL))
                                    : link);
                });
        return plain.withLinks(links);
    }

    private Set<String> slowHosts(Topology topology) {
        Set<String> slow = new TreeSet<>();
        for (Topology.Host host : topology.hosts()) {
            if (draw.chance(0.1)) {
                slow.add(host.name());
            }
        }
        return slow;
    }
}
