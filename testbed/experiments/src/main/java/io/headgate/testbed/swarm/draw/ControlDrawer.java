package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.congestion.qcn.Qcn;
import io.headgate.dataplane.congestion.qcn.QcnConfig;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Draws the rate control that some flows obey, from all registered ones, with its published keys,
 * and gives ports the mechanisms that it needs. A newly registered control is drawn automatically.
 */
final class ControlDrawer {
    static final String NAME = "controls";

    /** Those that have drawers of their own, and one that has no keys as published. */
    private static final Set<String> ELSEWHERE =
            Set.of(new RoccReactionMechanism().name(), new Dcqcn().name(), "fixed");

    /** Its notices go to MAC addresses, so a router refuses it. */
    private static final String OF_BRIDGES = "qcn";

    private final Draw draw;
    private final long rateBps;
    private final int mtuBytes;
    private final @Nullable RateControls<?> drawn;

    ControlDrawer(long seed, Topology topology, long rateBps) {
        this.draw = new Draw(seed, NAME);
        this.rateBps = rateBps;
        this.mtuBytes = topology.sizes().mtuBytes();
        boolean isBridged = topology.mode() == SwitchConfig.Mode.BRIDGE;
        boolean isDrawn = draw.chance(0.3);
        List<RateControlMechanism<?>> all =
                MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream()
                        .<RateControlMechanism<?>>map(RateControlMechanism.class::cast)
                        .filter(one -> !ELSEWHERE.contains(one.name()))
                        .filter(one -> isBridged || !one.name().equals(OF_BRIDGES))
                        .sorted(Comparator.comparing(Mechanism::name))
                        .toList();
        this.drawn = isDrawn ? asPublished(draw.oneOf(all), rateBps) : null;
    }

    private static <C extends Record> RateControls<C> asPublished(
            RateControlMechanism<C> mechanism, long rateBps) {
        C keys =
                Section.of(mechanism.configuration())
                        .read(Place.nowhere().saying(Map.of()), Known.of(Map.of("rate", rateBps)));
        return new RateControls<>(mechanism, Objects.requireNonNull(keys));
    }

    private static <C extends Record> Mechanisms.Use use(RateControls<C> controls) {
        return controls.mechanism().use(controls.configuration());
    }

    /** Whether notices control the flows. */
    boolean isTold() {
        return drawn != null && drawn.noticePeriodNs() > 0;
    }

    /** Whether only reliable connections (RoCEv2) can obey it. */
    boolean needsReliable() {
        return drawn != null && drawn.needsConnections();
    }

    /**
     * Returns the settings of ports, unchanged or with the mechanisms that the control needs and
     * they lack.
     */
    PortSettings on(PortSettings plain) {
        if (drawn == null) {
            return plain;
        }
        PortSettings settings = plain;
        // Links are drawn before: where they have credits, FECN is a detector among others.
        String needs =
                drawn.mechanism().needsCredits()
                        ? RateControlMechanism.MARKS
                        : drawn.mechanism().atSwitches();
        for (Mechanisms.Use use :
                PortTrafficReader.read("{congestion: " + needs + "}")
                        .at(rateBps, mtuBytes, 0, 0)
                        .mechanisms()
                        .uses()) {
            Mechanisms.Use drawable = besideNotices(use, plain.classification());
            if (drawable != null
                    && settings.mechanisms().use(use.configuration().getClass()) == null) {
                settings = settings.with(drawable);
            }
        }
        return settings;
    }

    /** Without the queues in which QCN's own messages may wait; null if none is left. */
    private static Mechanisms.@Nullable Use besideNotices(
            Mechanisms.Use use, Classification classification) {
        if (!(use.configuration() instanceof QcnConfig qcn)) {
            return use;
        }
        List<Integer> watched =
                qcn.priorities().stream()
                        .filter(each -> !classification.isOfNotices(each))
                        .toList();
        return watched.isEmpty()
                ? null
                : new Qcn()
                        .use(
                                new QcnConfig(
                                        qcn.setPointBytes(),
                                        qcn.weight(),
                                        qcn.sampleBytes(),
                                        watched));
    }

    /** The flows as drawn; many of those that can obey the control do. */
    List<Stream> controlled(List<Stream> streams) {
        RateControls<?> controls = drawn;
        return controls == null
                ? streams
                : streams.stream().map(stream -> controlled(stream, controls)).toList();
    }

    private Stream controlled(Stream stream, RateControls<?> controls) {
        boolean isChosen = draw.chance(0.8);
        boolean canObey =
                (stream.isWindowed() || !controls.mechanism().needsEcho())
                        && (stream.shape().isReliable() || !needsReliable());
        if (!isChosen || !canObey) {
            return stream;
        }
        int ecn = stream.shape().ecn();
        return stream.controlled(
                use(controls),
                controls.mechanism().needsMarks() && ecn == FrameShape.NOT_ECT
                        ? FrameShape.ECT_0
                        : ecn);
    }
}
