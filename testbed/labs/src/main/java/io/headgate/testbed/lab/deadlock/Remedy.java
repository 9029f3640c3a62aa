package io.headgate.testbed.lab.deadlock;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.deadlockbreaker.DeadlockBreaker;
import io.headgate.dataplane.domain.CrossbarConfig;
import io.headgate.dataplane.domain.CrossbarMechanism;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.gfc.Gfc;
import io.headgate.dataplane.loopbreaker.LoopBreaker;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The remedies that can be turned on, while it runs, in a deadlocked ring. The one table of these
 * answers: what ports need for each, what turns it on, and what must follow.
 */
public enum Remedy {
    /** Frames leave paused queues against tokens; nothing is lost. */
    ESCAPE(
            "Escape's tokens",
            Loss.NONE,
            "escape.escaped",
            "each buffer came down to xon, every flow got something in every second, and nothing"
                    + " was lost or out of order") {
        @Override
        public PortTraffic ports(PortTraffic plain) {
            return plain.with(new Escape(), "enabled", false)
                    .with(new Escape(), "period", PERIOD_NS);
        }

        @Override
        String assignment(boolean on) {
            return "detour.escape.enabled=" + on;
        }
    },
    /** Priorities that stay paused are let go, as SONiC's PFC watchdog does: frames are dropped. */
    WATCHDOG(
            "PFC's, which drops",
            Loss.COUNTED,
            null,
            "every flow got something, and the frames that this cost are counted") {
        @Override
        String assignment(boolean on) {
            return "watchdog.action=" + (on ? "drop" : "off");
        }
    },
    /** Loop Breaker: the switch that finds the loop drops frames of it. */
    LB(
            "Loop Breaker, which drops",
            Loss.COUNTED,
            "loop-breaker.dropped",
            "every flow got something, and the frames that this cost are counted") {
        @Override
        public PortTraffic ports(PortTraffic plain) {
            return plain.with(new LoopBreaker(), "enabled", false)
                    .with(new LoopBreaker(), "detection", DETECTION_NS);
        }

        @Override
        String assignment(boolean on) {
            return "detour.loop-breaker.enabled=" + on;
        }
    },
    /** Deadlock Breaker: frames are moved round the loop, into slots kept for that. */
    DLB(
            "Deadlock Breaker's moves",
            Loss.NONE,
            "deadlock-breaker.moved",
            "each buffer came down to xon, every flow got something in every second, and nothing"
                    + " was lost or out of order") {
        @Override
        public PortTraffic ports(PortTraffic plain) {
            return plain.with(new DeadlockBreaker(), "enabled", false)
                    .with(new DeadlockBreaker(), "detection", DETECTION_NS);
        }

        @Override
        String assignment(boolean on) {
            return "detour.deadlock-breaker.enabled=" + on;
        }
    },
    /** Rates instead of pauses, on from the start: there is no deadlock to end; nothing is lost. */
    GFC(
            "gentle flow control, on from the start",
            Loss.NONE,
            null,
            "no deadlock formed, every flow got something in every second, and nothing was lost or"
                    + " out of order") {
        @Override
        public PortTraffic ports(PortTraffic plain) {
            return plain.with(new Gfc(), "bm", GFC_MOST_BYTES)
                    .with(new Gfc(), "b1", GFC_FIRST_BYTES)
                    .with(new Gfc(), "period", GFC_PERIOD_NS);
        }

        @Override
        public Remedy warmUp() {
            return this;
        }

        @Override
        public boolean prevents() {
            return true;
        }

        @Override
        public Mechanisms.@Nullable Use domain() {
            return new CrossbarMechanism()
                    .use(new CrossbarConfig(CrossbarConfig.InputQueues.VIRTUAL_OUTPUT, 4));
        }
    },
    /** Nothing: the deadlock lasts. */
    NONE("nothing", Loss.NONE, null, "the same, to the end; nothing was lost");

    /** A token's way through two kernels and back, and frames for which few cores have the time. */
    private static final long PERIOD_NS = 500_000;

    /** Longer than a buffer of 125 kB drains at 100 Mb/s: no pause of plain congestion lasts so. */
    private static final long DETECTION_NS = 20_000_000;

    /**
     * Well below xoff, so that pauses are left for what comes while a worker is held; and B1 by
     * more than what two kernels and their workers take to react.
     */
    private static final long GFC_MOST_BYTES = 75_000;

    private static final long GFC_FIRST_BYTES = 45_000;

    /** So that rates outlast a worker that is held for as long as buffers allow for. */
    private static final long GFC_PERIOD_NS = 20_000_000;

    /** What a remedy may cost. */
    private enum Loss {
        NONE,
        COUNTED
    }

    private final String what;
    private final Loss loss;
    private final @Nullable String counter;
    private final String passes;

    Remedy(String what, Loss loss, @Nullable String counter, String passes) {
        this.what = what;
        this.loss = loss;
        this.counter = counter;
        this.passes = passes;
    }

    /** As the command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All words with what each is. */
    public static String words() {
        return Arrays.stream(values())
                .map(each -> each.word() + " (" + each.what + ")")
                .collect(Collectors.joining(", "));
    }

    /** The remedy with a word; null if not found. */
    public static @Nullable Remedy of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findAny()
                .orElse(null);
    }

    /** What is on while the ring warms up, so that its code is compiled: nothing is counted yet. */
    public Remedy warmUp() {
        return counter == null ? ESCAPE : this;
    }

    /** Ports under PFC with what it needs, turned off. */
    public PortTraffic ports(PortTraffic plain) {
        return warmUp() == this ? plain : warmUp().ports(plain);
    }

    /** Whether it is on from the start, so that no deadlock forms. */
    public boolean prevents() {
        return false;
    }

    /**
     * What owns the queues of a switch's ports where it needs that; null: each port has its own.
     */
    public Mechanisms.@Nullable Use domain() {
        return null;
    }

    /** What turns it on or off at a port; empty for nothing. */
    String assignment(boolean on) {
        return "";
    }

    /**
     * What {@code headgate set} is given for a switch with these ports; empty for nothing.
     *
     * @param on false: to turn it off again
     */
    public List<String> assignments(List<String> ports, boolean on) {
        String assignment = assignment(on);
        return assignment.isEmpty()
                ? List.of()
                : ports.stream().map(port -> port + "." + assignment).toList();
    }

    /** The counter of a port that has the frames that it let go; null if it counts none. */
    public @Nullable String counter() {
        return counter;
    }

    /** Whether nothing may be lost with it. */
    public boolean losesNothing() {
        return loss == Loss.NONE;
    }

    /** What must follow for the lab to pass, behind the deadlock. */
    public String passes() {
        return passes;
    }
}
