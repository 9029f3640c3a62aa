package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.read.SwitchChange;
import io.headgate.control.daemon.PausedNetwork;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.run.RunningSwitch;
import io.headgate.testbed.lab.own.LabSeries;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.file.Arithmetic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Carries out the orders of a user's lab while it runs. Used by the lab's thread. */
final class OwnOrders {
    private static final long NS_PER_MS = 1_000_000;
    private static final double US_PER_S = 1e6;

    private record Explained(double us, int ports) {}

    private final Programs programs;
    private final LabSwitches switches;
    private final CounterLooks recording;
    private final Pictures pictures;
    private final RunReport report;
    private final Progress progress;
    private final List<Explained> explained = new ArrayList<>();

    /** The orders whose condition did not become true. */
    private final List<OwnLabSpec.Order> late = new ArrayList<>();

    /** When the last one ended that waited; what is due is late by more than that. */
    private long waitedUntilNs = System.nanoTime();

    private boolean endsInVain;
    private int inTurn;

    OwnOrders(
            Programs programs,
            LabSwitches switches,
            CounterLooks recording,
            Pictures pictures,
            RunReport report,
            Progress progress) {
        this.programs = programs;
        this.switches = switches;
        this.recording = recording;
        this.pictures = pictures;
        this.report = report;
        this.progress = progress;
    }

    /** Makes the lab end if the condition of an order does not become true. */
    void endInVain(boolean ends) {
        endsInVain = ends;
    }

    boolean isInVain() {
        return !late.isEmpty();
    }

    /**
     * How late something is that is about to be done, but for what orders waited for.
     *
     * @param dueNs of this machine's clock
     */
    long lateNs(long dueNs) {
        return lateNs(System.nanoTime(), dueNs, waitedUntilNs);
    }

    static long lateNs(long nowNs, long dueNs, long waitedUntilNs) {
        return Math.min(nowNs - dueNs, nowNs - waitedUntilNs);
    }

    void obey(OwnLabSpec.Order order, LabCapture capture) throws BedException {
        OwnLabSpec.Once once = order.once();
        if (once != null) {
            CounterLooks.Watch watch = recording.watch(once.counters());
            boolean holds = await(once, watch::hasChanged, programs::isClosed, recording::now);
            waitedUntilNs = System.nanoTime();
            if (!holds) {
                late.add(order);
                if (endsInVain) {
                    throw new BedException(inVain(late));
                }
            }
        }
        boolean isOneOfMany = order.words().isEmpty();
        if (!isOneOfMany) {
            progress.say("order: " + order.words());
        }
        OwnLabSpec.Paused paused = order.explained();
        if (paused != null) {
            explain(paused);
        }
        OwnLabSpec.Picture picture = order.picture();
        if (picture != null) {
            pictures.begin(picture);
        }
        if (order.captureMs() > 0) {
            capture.openFor(order.captureMs() * NS_PER_MS);
            // It may have waited for a capture before it.
            waitedUntilNs = System.nanoTime();
        }
        for (OwnLabSpec.Step step : order.steps()) {
            RunningSwitch own = switches.named(step.node());
            try {
                List<SwitchChange> changes =
                        step.assignments().isEmpty()
                                ? own.set(step.set(), "order")
                                : own.set(step.assignments());
                if (isOneOfMany) {
                    inTurn++;
                } else {
                    own.changedFromOutside(changes);
                }
            } catch (IllegalStateException | ConfigException e) {
                report.problem("the order " + order.words() + " failed: " + Reason.of(e));
            }
        }
    }

    /**
     * Waits until the condition holds, or until the time for it is over.
     *
     * @param hasChanged whether a counter may have changed: arithmetic makes garbage, and a
     *     collection stops the switches' workers
     * @param now what a counter is, by its name
     * @return whether it held, or the lab is over
     */
    static boolean await(
            OwnLabSpec.Once once,
            BooleanSupplier hasChanged,
            BooleanSupplier isOver,
            Arithmetic.Measured now) {
        long endNs = System.nanoTime() + once.withinMs() * NS_PER_MS;
        while (!isOver.getAsBoolean()) {
            Double value = hasChanged.getAsBoolean() ? Arithmetic.value(once.holds(), now) : null;
            if (value != null && value != 0) {
                return true;
            }
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            LockSupport.parkNanos(NS_PER_MS / 2);
        }
        return true;
    }

    /**
     * Doubts the run, whatever failed in it, where what an order waited for did not come: what the
     * order begins then shows nothing.
     *
     * @param holds for how long the machine kept workers waiting: it may be why
     */
    void doubt(Holds holds) {
        if (!late.isEmpty()) {
            report.doubtWhateverFails(lateness(late, holds));
        }
    }

    static Doubt lateness(List<OwnLabSpec.Order> late, Holds holds) {
        return new Doubt(
                inVain(late) + "; " + holds.sentence(), holds.exceed(LabPlan.HELD_MS * NS_PER_MS));
    }

    private static String inVain(List<OwnLabSpec.Order> late) {
        OwnLabSpec.Order first = late.getFirst();
        OwnLabSpec.Once once = Objects.requireNonNull(first.once());
        String more = late.size() == 1 ? "" : " and " + (late.size() - 1) + " more";
        return "the order '"
                + first.words()
                + "'"
                + more
                + " waited too long: "
                + once.holds()
                + " did not become true within "
                + once.withinMs()
                + " ms";
    }

    /** The answer of {@code headgate explain pause}. */
    private void explain(OwnLabSpec.Paused paused) {
        String name = switches.named(paused.node()).config().name();
        PauseTrace trace =
                PauseTrace.follow(
                        new PausedNetwork(List.of(RunDirectory.base())),
                        name,
                        paused.port(),
                        paused.priority());
        progress.say(
                "headgate explain pause %s:%s %d"
                        .formatted(name, paused.port(), paused.priority()));
        trace.toText().lines().forEach(line -> progress.plain("  " + line));
        explained.add(new Explained(recording.nowSeconds() * US_PER_S, trace.cycle().size()));
        report.add(new Section("Who waits for whom", trace, trace.toText()));
    }

    /** How many ports waited for one another each time that a pause was explained in this phase. */
    List<Series> explained() {
        if (explained.isEmpty()) {
            return List.of();
        }
        Series ports =
                new Series(
                        LabSeries.CYCLIC_WAIT,
                        "ports",
                        explained.stream().mapToDouble(Explained::us).toArray(),
                        explained.stream().mapToDouble(Explained::ports).toArray());
        explained.clear();
        return List.of(ports);
    }

    /** Adds to the report how many were carried out in turn. */
    void describe() {
        if (inTurn > 0) {
            report.add(
                    new Section(
                            "Orders in turn",
                            inTurn,
                            inTurn + " orders were carried out in turn while frames flowed"));
        }
    }
}
