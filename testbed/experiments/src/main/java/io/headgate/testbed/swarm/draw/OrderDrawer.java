package io.headgate.testbed.swarm.draw;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws which settings of the switches change while a case runs: keys of ports and of switches.
 * Port keys change only in ways that keep a port's promises: its rate falls, its pauses become
 * shorter, and its watchdog gets more watchful.
 */
final class OrderDrawer {
    static final String NAME = "orders";

    private static final int MOST = 12;
    private static final int FEW = 3;

    private final Draw draw;
    private final Topology topology;
    private final PortSettings settings;
    private final int frameBytes;
    private final long endPs;

    OrderDrawer(long seed, Topology topology, PortSettings settings, long endPs) {
        this.draw = new Draw(seed, NAME);
        this.topology = topology;
        this.settings = settings;
        this.frameBytes = topology.sizes().mtuBytes();
        this.endPs = endPs;
    }

    /**
     * @param few whether few cases have orders, and only few: computing the result of one takes as
     *     long as a small case
     */
    List<Order> draw(boolean few) {
        if (!draw.chance(few ? 0.1 : 0.4)) {
            return List.of();
        }
        List<String> links = LinkNames.of(topology);
        List<Order> orders = new ArrayList<>();
        int count = draw.between(1, few ? FEW : MOST);
        for (int i = 0; i < count; i++) {
            String node = draw.oneOf(topology.switches()).name();
            List<Integer> own = new ArrayList<>();
            for (int link = 0; link < links.size(); link++) {
                Topology.Link ends = topology.links().get(link);
                if (ends.a().equals(node) || ends.b().equals(node)) {
                    own.add(link);
                }
            }
            boolean ofPort =
                    !own.isEmpty()
                            && (topology.mode() == SwitchConfig.Mode.ROUTED || draw.chance(0.95));
            String link = ofPort ? links.get(draw.oneOf(own)) : "";
            long rateBps = ofPort ? topology.links().get(links.indexOf(link)).spec().rateBps() : 0;
            orders.add(
                    new Order(
                            "order" + i,
                            node,
                            link,
                            draw.between(0, endPs),
                            ofPort ? ofPort(settings.modeOf(link), rateBps) : ofBridge()));
        }
        return orders;
    }

    private String ofBridge() {
        return switch (draw.between(0, 2)) {
            case 0 -> "bridge.ageing=" + draw.between(1, 100) + "s";
            case 1 -> "bridge.flood-limit=" + draw.between(1, 100) + "k/s";
            default -> "bridge.move-limit=" + draw.between(1, 100) + "/s";
        };
    }

    private String ofPort(Mode mode, long rateBps) {
        boolean ofFlowControl = mode != Mode.NONE && draw.chance(0.5);
        if (!ofFlowControl) {
            return draw.chance(0.25) ? ofMarking() : ofQueues(rateBps);
        }
        FlowControlConfig.Watchdog dog = settings.watchdog();
        if (dog != null && draw.chance(0.2)) {
            return draw.chance(0.5)
                    ? "watchdog.detection=" + part(dog.detectionNs())
                    : "watchdog.restoration=" + part(dog.restorationNs());
        }
        if (mode == Mode.CREDITS) {
            return ofCredits();
        }
        return draw.chance(0.3) ? ofPauses(rateBps) : ofBuffers();
    }

    private String ofQueues(long rateBps) {
        return switch (draw.between(1, 6)) {
            case 1 -> "rate=" + slower(rateBps);
            case 2 -> "queue-limit=" + frames(1, 100);
            case 3 -> "account-cap=" + frames(1, 60);
            case 4 -> "account-cap-slots=" + draw.between(1, 200);
            case 5 -> "scheduler=" + draw.oneOf("strict", "dwrr", weights());
            default ->
                    "priority-rates="
                            + (draw.chance(0.3)
                                    ? ""
                                    : "[{priority: %d, rate: %s}]"
                                            .formatted(draw.between(0, 7), slower(rateBps)));
        };
    }

    /** Also of ports that have no such mechanism: without it, all else is the same. */
    private String ofMarking() {
        return "congestion.red."
                + switch (draw.between(1, 5)) {
                    case 1 -> "enabled=" + draw.chance(0.5);
                    case 2 -> "kmin=" + frames(2, 50);
                    case 3 -> "kmax=" + frames(2, 200);
                    case 4 -> "pmax=" + draw.probability(1);
                    default -> "priorities=[" + draw.between(0, 7) + "]";
                };
    }

    private String ofBuffers() {
        if (settings.buffers().alphaExponent() == null) {
            return draw.chance(0.5)
                    ? "buffers.xoff=" + frames(2, 20)
                    : "buffers.xon=" + frames(0, 18);
        }
        return draw.chance(0.5)
                ? "buffers.alpha=" + draw.oneOf("1/64", "1/16", "1/4", "1/2", "1", "2", "4", "8")
                : "buffers.reserved=" + frames(0, 8);
    }

    private String ofPauses(long rateBps) {
        return draw.chance(0.5)
                ? "pause.quanta=" + quanta(rateBps)
                : "pause.refresh=" + draw.between(1, settings.pauseNs()) + "ns";
    }

    private String ofCredits() {
        return switch (draw.between(1, 3)) {
            case 1 -> "credits.update=" + draw.oneOf("periodic", "on-change");
            case 2 -> "credits.min-gap=" + part(settings.credit().minGapNs());
            default -> "credits.period=" + part(settings.credit().periodNs());
        };
    }

    private String weights() {
        List<String> weights = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            weights.add(draw.chance(0.3) ? "strict" : String.valueOf(draw.between(1, 100)));
        }
        return weights.toString();
    }

    private String slower(long rateBps) {
        return draw.between(rateBps / 2_000, rateBps / 1_000) + "kbps";
    }

    private String frames(int least, int most) {
        return draw.between(least, most) * frameBytes + "B";
    }

    private String part(long ns) {
        return draw.between(Math.max(1, ns / 4), ns) + "ns";
    }

    /** A pause of at most what was drawn. */
    private long quanta(long rateBps) {
        long quantumPs = ConfigDefaults.quantumPs(rateBps);
        long most = Math.clamp(settings.pauseNs() * 1_000 / quantumPs, 2, 65_535);
        return draw.between(Math.max(1, most / 4), most);
    }
}
