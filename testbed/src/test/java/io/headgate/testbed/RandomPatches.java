package io.headgate.testbed;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws changes that a switch may be asked for while it carries lossless traffic: a random key of a
 * random port, with a value with which nothing may be lost.
 */
public final class RandomPatches {
    private static final List<String> ANY =
            List.of(
                    "P.rate=R",
                    "P.queue-limit=S",
                    "P.account-cap=S",
                    "P.account-cap-slots=N",
                    "P.scheduler=strict",
                    "P.scheduler=dwrr",
                    "P.scheduler=[1, 1, 1, W, 1, 1, strict, strict]",
                    "P.priority-rates=[{priority: 3, rate: R}]",
                    "P.priority-rates=",
                    "P.congestion.red.enabled=B",
                    "P.congestion.red.kmin=S",
                    "P.congestion.red.kmax=S",
                    "P.congestion.red.pmax=0.W",
                    "P.congestion.red.weight=0.W",
                    "P.congestion.red.priorities=[3, 4]",
                    "P.watchdog={action: alert}",
                    "P.watchdog={action: alert, detection: TTms}",
                    "P.watchdog={action: alert, restoration: TTms}",
                    "P.watchdog=",
                    "bridge.ageing=W000s",
                    "bridge.flood-limit=Wk/s",
                    "bridge.move-limit=W/s");
    private static final List<String> PAUSES =
            List.of("P.pause.quanta=QQQQ", "P.pause.refresh=Tms", "P.pause.refresh=");
    private static final List<String> THRESHOLDS =
            List.of(
                    "P.buffers.xoff=S",
                    "P.buffers.xoff-slots=N",
                    "P.buffers.xon=S",
                    "P.buffers.xon-slots=N");
    private static final List<String> POOL =
            List.of(
                    "P.buffers.alpha=1/4",
                    "P.buffers.alpha=1",
                    "P.buffers.alpha=2",
                    "P.buffers.reserved=S",
                    "P.buffers.reserved-slots=W",
                    "P.buffers.shared=S",
                    "P.buffers.shared-slots=N");
    private static final List<String> CREDITS =
            List.of(
                    "P.credits.update=periodic",
                    "P.credits.update=on-change",
                    "P.credits.period=TTus",
                    "P.credits.min-gap=Tus");

    private final Random random;
    private final List<String> templates = new ArrayList<>(ANY);
    private final long rateMbps;

    /**
     * For a switch all of whose ports have one protocol.
     *
     * @param rateBps of its links
     */
    public RandomPatches(long seed, SwitchConfig config, long rateBps) {
        this.random = new Random(seed);
        this.rateMbps = rateBps / 1_000_000;
        var flowControl = config.ports().getFirst().flowControl();
        var buffers = flowControl.buffers();
        if (flowControl.credits() != null) {
            templates.addAll(CREDITS);
        } else if (buffers != null) {
            templates.addAll(PAUSES);
            templates.addAll(buffers.isDynamic() ? POOL : THRESHOLDS);
        }
    }

    /** A change that the switch can take as it is. */
    public String next(SwitchConfig now) {
        String assignment = draw(now);
        while (!changes(now, assignment)) {
            assignment = draw(now);
        }
        return assignment;
    }

    private static boolean changes(SwitchConfig now, String assignment) {
        try {
            return !SwitchPatch.apply(now, List.of(assignment)).changes().isEmpty();
        } catch (ConfigException refused) {
            // Thresholds hang on each other: xon is below xoff.
            return false;
        }
    }

    /** A change that the switch may have to refuse: thresholds hang on each other. */
    public String draw(SwitchConfig now) {
        String port = now.ports().get(random.nextInt(now.ports().size())).name();
        return templates
                .get(random.nextInt(templates.size()))
                .replace("P.", port + ".")
                .replace("R", (rateMbps / 2 + random.nextLong(rateMbps / 2)) + "Mbps")
                .replace("S", (10 + random.nextInt(400)) + "kB")
                .replace("QQQQ", String.valueOf(30_000 + random.nextInt(35_000)))
                .replace("TT", String.valueOf(100 + random.nextInt(200)))
                .replace("=T", "=" + (1 + random.nextInt(9)))
                .replace("=N", "=" + (20 + random.nextInt(300)))
                .replace("W", String.valueOf(1 + random.nextInt(9)))
                .replace("=B", "=" + random.nextBoolean());
    }
}
