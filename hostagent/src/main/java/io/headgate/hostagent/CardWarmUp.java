package io.headgate.hostagent;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.runner.Compilation;
import io.headgate.dataplane.runner.EngineWarmUp;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.dataplane.runner.WarmUpFrames;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Warms up the code of flow control before real frames need it: two network cards are connected
 * wire to wire in memory, one of them with a slow application, so that they pause each other, or
 * grant each other credits, in every round. A pause that the JVM computes in its interpreter comes
 * too late.
 */
public final class CardWarmUp {
    private static final int FRAMES = Compilation.rounds(200_000);
    private static final long LIMIT_NS = 1_000_000_000L;
    private static final int BURST = 32;
    private static final int WIRE_FRAMES = 256;
    private static final int APP_SLOTS = 256;
    private static final int SLOT_BYTES = 2048;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long SLOW_BPS = 2_000_000_000L;
    private static final int LOSSLESS = 3;
    private static final int MTU_BYTES = 1500;
    private static final long DELAY_NS = 1_000;
    private static final long STEP_NS = 10_000;

    /** Frames sent so far per mode, as {@link EngineWarmUp} keeps them for engines. */
    private static final Map<FlowControlConfig.Mode, Long> SENT =
            new EnumMap<>(FlowControlConfig.Mode.class);

    private final List<Duty> duties = new ArrayList<>();
    private final List<MemoryWire.FarEnd> applications = new ArrayList<>();
    private long nowNs;

    private CardWarmUp(PortTraffic.End end) {
        MemoryWire wire = new MemoryWire("warm-up", WIRE_FRAMES, 2 * MTU_BYTES);
        for (int side = 0; side < 2; side++) {
            CardSetup setup =
                    CardSetup.of("warm-up" + side, RATE_BPS)
                            .withAppRateBps(side == 0 ? RATE_BPS : SLOW_BPS)
                            .withSlots(APP_SLOTS, APP_SLOTS, SLOT_BYTES)
                            .withWire(end);
            HostCard card =
                    new HostCard(
                            setup,
                            new PolledHost(
                                    RealTimeEngine.HOUSEKEEPING_INTERVAL_NS,
                                    RealTimeEngine.MAX_CATCH_UP_NS));
            MemoryWire app = new MemoryWire("warm-up-app", WIRE_FRAMES, 2 * MTU_BYTES);
            attach(card, HostCard.WIRE, wire, side);
            attach(card, HostCard.APP, app, 0);
            applications.add(app.farEnd(1));
            duties.addAll(card.duties());
        }
    }

    private static void attach(HostCard card, int side, MemoryWire wire, int end) {
        var device = wire.device(end, card.region());
        card.ingress(side).attach(device);
        card.egress(side).attach(device);
    }

    /**
     * Runs a warm-up of at most a second and a third, or the rest of an earlier one for the same
     * mode in this process.
     *
     * @return a line for a person; empty: there was nothing to do
     */
    public static synchronized String run(FlowControlConfig.Mode mode) {
        long startNs = System.nanoTime();
        long before = SENT.getOrDefault(mode, 0L);
        if (before >= FRAMES) {
            return "";
        }
        long sent = new CardWarmUp(end(mode)).pump(FRAMES - before, startNs);
        SENT.put(mode, before + sent);
        Compilation.await();
        return String.format(
                "flow control (%s) warmed up: %,d frames in memory, %.1f s",
                mode.name().toLowerCase(Locale.ROOT), sent, (System.nanoTime() - startNs) / 1e9);
    }

    private static PortTraffic.End end(FlowControlConfig.Mode mode) {
        TrafficConfig traffic =
                TrafficConfig.DEFAULT
                        .withClassify(
                                TrafficConfig.DEFAULT
                                        .classify()
                                        .withTrust(TrafficConfig.Trust.DSCP))
                        .withLossless(
                                mode == FlowControlConfig.Mode.NONE
                                        ? List.of()
                                        : List.of(LOSSLESS));
        FlowControlConfig.Link link = new FlowControlConfig.Link(DELAY_NS, 0, 0);
        return new PortTraffic.End(traffic, FlowControlConfig.of(mode, RATE_BPS, MTU_BYTES, link));
    }

    private long pump(long wanted, long startNs) {
        byte[][] frames = new byte[2][];
        frames[0] = WarmUpFrames.lossless(0, 1);
        frames[1] = WarmUpFrames.lossless(1, 0);
        long sent = 0;
        while (sent < wanted && System.nanoTime() - startNs < LIMIT_NS) {
            for (int side = 0; side < 2; side++) {
                for (int i = 0; i < BURST; i++) {
                    if (applications.get(side).inject(frames[side])) {
                        sent++;
                    }
                }
            }
            nowNs += STEP_NS;
            EngineWarmUp.settle(duties, nowNs);
            applications.forEach(CardWarmUp::discard);
        }
        return sent;
    }

    private static void discard(MemoryWire.FarEnd application) {
        byte[] taken = application.collect();
        while (taken != null) {
            taken = application.collect();
        }
    }
}
