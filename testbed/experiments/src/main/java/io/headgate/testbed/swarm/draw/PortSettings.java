package io.headgate.testbed.swarm.draw;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.FrameGrowth;
import io.headgate.config.Headroom;
import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.TrafficConfig.Trust;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the ports of a case's switches, in addition to the topology's. Both ends of
 * a link have the same settings, except for the block scale of credits, which they negotiate.
 *
 * @param classification of frames into priorities
 * @param tagging of frames in VLANs
 * @param lossless priorities; with {@code PAUSE} all are
 * @param weights as {@link TrafficConfig#weights}
 * @param rateLimitPercent of the port's rate that the highest priority gets; 0: no limit
 * @param modes of links by name; absent: none
 * @param extraDelayNs added to each link's delay in the headroom, for its jitter
 * @param buffers thresholds, in frames of the largest size
 * @param headroomPercent of what the headroom computation asks for
 * @param pauseNs length of a pause that is asked for
 * @param refreshPercent of it after which it is asked for again
 * @param mechanisms of every port, and, if they are domains, of every switch
 * @param detours the switches with a detour
 */
public record PortSettings(
        Classification classification,
        Tagging tagging,
        List<Integer> lossless,
        List<Integer> weights,
        int rateLimitPercent,
        Map<String, Mode> modes,
        long extraDelayNs,
        long reactionNs,
        Thresholds buffers,
        int headroomPercent,
        long pauseNs,
        int refreshPercent,
        Credit credit,
        FlowControlConfig.@Nullable Watchdog watchdog,
        Mechanisms mechanisms,
        DetourSettings detours) {

    /**
     * Static thresholds if {@code alphaExponent} is null, otherwise dynamic ones.
     *
     * @param sharedFrames size of a port's own pool, or the most that it may hold of a common one
     * @param bufferFrames size of the buffer that all ports of a switch share; 0: none
     */
    record Thresholds(
            int xoffFrames,
            int xonPercent,
            @Nullable Integer alphaExponent,
            int reservedFrames,
            int sharedFrames,
            int bufferFrames) {}

    /** Credits; the ends of a link offer one scale each. */
    record Credit(
            FlowControlConfig.Credits.Update update,
            long periodNs,
            long minGapNs,
            int scaleOfFirst,
            int scaleOfSecond,
            int bufferFrames) {}

    private static final int SLOTS_A_FRAME = 4;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final long PS_PER_NS = 1000;

    public PortSettings {
        modes = Map.copyOf(modes);
    }

    /**
     * The settings with another mechanism at every port, or, if it is a domain, in every switch.
     */
    public PortSettings with(Mechanisms.Use mechanism) {
        return with(mechanisms.with(mechanism), detours);
    }

    PortSettings with(DetourSettings other) {
        return with(mechanisms, other);
    }

    private PortSettings with(Mechanisms otherMechanisms, DetourSettings otherDetours) {
        return new PortSettings(
                classification,
                tagging,
                lossless,
                weights,
                rateLimitPercent,
                modes,
                extraDelayNs,
                reactionNs,
                buffers,
                headroomPercent,
                pauseNs,
                refreshPercent,
                credit,
                watchdog,
                otherMechanisms,
                otherDetours);
    }

    public Mode modeOf(String link) {
        return modes.getOrDefault(link, Mode.NONE);
    }

    /** The change that gives the switches of a topology's plan these settings. */
    public UnaryOperator<SwitchConfig> onSwitches(Topology topology) {
        Map<String, Topology.Link> links = LinkNames.links(topology);
        return config -> apply(config, links);
    }

    /** The change that gives the hosts' cards these settings. */
    public UnaryOperator<CardSetup> onHosts(Topology topology) {
        Map<String, PortTraffic.End> ends = new HashMap<>();
        int mtuBytes = topology.sizes().mtuBytes();
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    ends.put(link.a(), end(name, link, link.a(), mtuBytes));
                    ends.put(link.b(), end(name, link, link.b(), mtuBytes));
                });
        return card -> card.withWire(ends.getOrDefault(card.name(), PortTraffic.End.PLAIN));
    }

    /** A switch with these settings, and with slots for all that they promise. */
    private SwitchConfig apply(SwitchConfig config, Map<String, Topology.Link> links) {
        List<PortConfig> plain = new ArrayList<>();
        for (PortConfig port : config.ports()) {
            Topology.Link link = links.get(LinkNames.of(port));
            if (link == null) {
                throw new IllegalArgumentException("no link is called " + LinkNames.of(port));
            }
            PortTraffic.End end = end(LinkNames.of(port), link, config.name(), port.mtuBytes());
            plain.add(
                    port.withVlan(tagging.of(LinkNames.of(port)))
                            .withTraffic(end.traffic())
                            .withFlowControl(end.flowControl())
                            .withMechanisms(end.mechanisms()));
        }
        List<PortConfig> ports = detours.on(config.name(), plain, links);
        int slots = config.memory().slotsPerPort();
        for (PortConfig set : ports) {
            slots =
                    Math.max(
                            slots,
                            ConfigDefaults.COPY_BURST_SLOTS
                                    + set.promisedSlots()
                                    + set.sharedSlots()
                                    + set.accountCapSlots());
        }
        return config.withPorts(ports)
                .withBridge(tagging.onBridge(config.bridge(), ports))
                .withMemory(
                        config.memory()
                                .withSlotsPerPort(slots)
                                .withSharedBytes(bufferBytes(config.ports().getFirst())))
                .withMechanisms(new Mechanisms(mechanisms.of(Mechanism.Kind.DOMAIN)));
    }

    private long bufferBytes(PortConfig port) {
        return (long) buffers.bufferFrames() * ConfigDefaults.maxFrameBytes(port.mtuBytes());
    }

    private Mechanisms ofPorts() {
        return new Mechanisms(
                mechanisms.uses().stream()
                        .filter(use -> use.kind() != Mechanism.Kind.DOMAIN)
                        .toList());
    }

    private PortTraffic.End end(String name, Topology.Link link, String node, int plainMtuBytes) {
        Mode mode = modeOf(name);
        int mtuBytes = plainMtuBytes + FrameGrowth.inQueues(mechanisms);
        long rateBps = link.spec().rateBps();
        long delayNs = Math.ceilDiv(link.spec().delayPs(), PS_PER_NS) + extraDelayNs;
        FlowControlConfig.Link reactions =
                new FlowControlConfig.Link(delayNs, reactionNs, reactionNs);
        Headroom headroom = new Headroom(rateBps, mtuBytes, reactions);
        FlowControlConfig flowControl =
                switch (mode) {
                    case NONE -> FlowControlConfig.NONE;
                    case PFC, PAUSE ->
                            new FlowControlConfig(
                                    mode,
                                    reactions,
                                    bufferConfig(headroom),
                                    pause(rateBps),
                                    null,
                                    watchdog);
                    case CREDITS ->
                            new FlowControlConfig(
                                    mode,
                                    reactions,
                                    null,
                                    null,
                                    credits(mtuBytes, node.equals(link.a())),
                                    watchdog);
                };
        return new PortTraffic.End(traffic(name, rateBps, mode), flowControl, ofPorts());
    }

    private TrafficConfig traffic(String link, long rateBps, Mode mode) {
        TrafficConfig defaults = TrafficConfig.DEFAULT;
        List<Integer> without =
                switch (mode) {
                    case NONE -> List.of();
                    case PAUSE -> IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList();
                    case PFC, CREDITS -> lossless;
                };
        List<Long> limits =
                new ArrayList<>(
                        Collections.nCopies(TrafficConfig.PRIORITIES, TrafficConfig.UNLIMITED));
        if (rateLimitPercent > 0) {
            limits.set(
                    TrafficConfig.PRIORITIES - 1,
                    Math.max(1_000_000, rateBps * rateLimitPercent / 100));
        }
        return new TrafficConfig(
                defaults.classify()
                        .withTrust(classification.trustOf(link))
                        .withDefaultPriority(classification.defaultPriority())
                        .withPriorityOfPcp(classification.priorityOfPcp()),
                without,
                weights,
                limits);
    }

    private FlowControlConfig.Buffers bufferConfig(Headroom needed) {
        int frameBytes = ConfigDefaults.maxFrameBytes(needed.mtuBytes());
        long headroomBytes = Math.max(1, needed.bytes() * headroomPercent / 100);
        int headroomSlots = Math.max(1, needed.slots() * headroomPercent / 100);
        long xoffBytes = (long) buffers.xoffFrames() * frameBytes;
        int xoffSlots = SLOTS_A_FRAME * buffers.xoffFrames();
        Integer alpha = buffers.alphaExponent();
        if (alpha == null) {
            return FlowControlConfig.Buffers.fixed(
                    xoffBytes,
                    xoffSlots,
                    xoffBytes * buffers.xonPercent() / 100,
                    xoffSlots * buffers.xonPercent() / 100,
                    headroomBytes,
                    headroomSlots);
        }
        return new FlowControlConfig.Buffers(
                0,
                0,
                2L * frameBytes,
                2,
                headroomBytes,
                headroomSlots,
                alpha,
                (long) buffers.reservedFrames() * frameBytes,
                buffers.reservedFrames(),
                (long) buffers.sharedFrames() * frameBytes,
                SLOTS_A_FRAME * buffers.sharedFrames());
    }

    private FlowControlConfig.Pause pause(long rateBps) {
        long quanta = pauseNs * (rateBps / 1000) / (ConfigDefaults.QUANTUM_BITS * NS_PER_S / 1000);
        int sent = Math.clamp(quanta, 2, 65_535);
        long lastsNs = ConfigDefaults.pauseNs(sent, rateBps);
        return new FlowControlConfig.Pause(sent, Math.max(1, lastsNs * refreshPercent / 100));
    }

    private FlowControlConfig.Credits credits(int mtuBytes, boolean first) {
        int scale = first ? credit.scaleOfFirst() : credit.scaleOfSecond();
        int smaller = Math.min(credit.scaleOfFirst(), credit.scaleOfSecond());
        int frameBytes = ConfigDefaults.maxFrameBytes(mtuBytes);
        int frameBlocks = Math.ceilDiv(frameBytes, 64 << smaller);
        // Room for frames in whole blocks of either scale.
        long bufferBytes = (long) credit.bufferFrames() * (frameBytes + (64 << scale));
        return new FlowControlConfig.Credits(
                credit.update(),
                credit.periodNs(),
                credit.minGapNs(),
                scale,
                bufferBytes,
                credit.bufferFrames() * frameBlocks);
    }

    /** A link's settings other than rate and delay, for a person. */
    String describe(String link) {
        Trust own = classification.trustOfLinks().get(link);
        return modeOf(link) + tagging.describe(link) + (own == null ? "" : ", trust " + own);
    }

    String describe() {
        return ("%s; lossless %s, weights %s, rate limit %d %%; delay of links + %d ns,"
                        + " reactions %d ns, %s, headroom %d %%; pauses of %d ns, again after"
                        + " %d %%; %s; watchdog %s; %s; %s")
                .formatted(
                        classification.describe(),
                        lossless,
                        weights,
                        rateLimitPercent,
                        extraDelayNs,
                        reactionNs,
                        buffers,
                        headroomPercent,
                        pauseNs,
                        refreshPercent,
                        credit,
                        watchdog,
                        mechanisms.uses(),
                        detours);
    }
}
