package io.headgate.testbed.swarm;

import io.headgate.config.Reason;
import io.headgate.testbed.swarm.check.BrokenException;
import io.headgate.testbed.swarm.check.CaseNetwork;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import io.headgate.testbed.swarm.draw.SwarmCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tests seeds: draws the case of each, runs it, and makes a failing case as small as it can. */
public final class Swarm {
    private static final int MOST_TRIALS = 300;

    private final Drawing drawing;
    private final boolean quick;
    private final BooleanSupplier cancelled;
    private final Consumer<CaseNetwork> meddler;
    private final SwarmTally tally = new SwarmTally();

    /**
     * @param drawing options of the drawn cases
     * @param quick whether each case runs only once, without checks after every instant
     * @param cancelled read now and then; once it is true, tests end without a finding
     */
    public Swarm(Drawing drawing, boolean quick, BooleanSupplier cancelled) {
        this(drawing, quick, cancelled, network -> {});
    }

    /**
     * @param meddler as in {@link CaseRun}
     */
    Swarm(
            Drawing drawing,
            boolean quick,
            BooleanSupplier cancelled,
            Consumer<CaseNetwork> meddler) {
        this.drawing = drawing;
        this.quick = quick;
        this.cancelled = cancelled;
        this.meddler = meddler;
    }

    /** The counts of the passing cases. */
    SwarmTally tally() {
        return tally;
    }

    /**
     * A seed whose case fails.
     *
     * @param sentence the failed check in the smallest case
     * @param replay the command that reproduces it
     * @param details the smallest case, one line for each element
     * @param cause the exception that reported it
     */
    public record Failure(
            long seed, String sentence, String replay, List<String> details, Throwable cause) {

        /** The whole failure as text for people. */
        public String describe() {
            return "seed "
                    + seed
                    + ": "
                    + sentence
                    + System.lineSeparator()
                    + "  replay: "
                    + replay
                    + System.lineSeparator()
                    + "  "
                    + String.join(System.lineSeparator() + "  ", details);
        }
    }

    /** Tests a seed; returns null if all checks pass, or it was cancelled. */
    public @Nullable Failure examine(long seed) {
        return examine(seed, CaseDrawer.draw(seed, drawing), true);
    }

    /**
     * Tests a reduced case of a seed.
     *
     * @param only the elements that stay, as in a failure's replay command
     * @throws IllegalArgumentException if these make no network
     */
    public @Nullable Failure examine(long seed, Set<String> only) {
        SwarmCase all = CaseDrawer.draw(seed, drawing);
        Set<String> unknown = new TreeSet<>(only);
        all.elements().forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "seed %d has no %s; there are %s"
                            .formatted(
                                    seed,
                                    String.join(", ", unknown),
                                    String.join(", ", all.elements())));
        }
        SwarmCase left =
                all.only(only)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "these parts of seed %d make no network, or have a flow"
                                                        .formatted(seed)
                                                + " whose hosts are left out: "
                                                + String.join(", ", only)));
        return examine(seed, left, false);
    }

    private @Nullable Failure examine(long seed, SwarmCase what, boolean shrinks) {
        BrokenException broken;
        try {
            broken = trial(what, tally);
            if (broken == null) {
                return null;
            }
            Shrinker shrinker =
                    new Shrinker(
                            what,
                            broken,
                            smaller -> trial(smaller, new SwarmTally()),
                            shrinks ? MOST_TRIALS : 0);
            shrinker.shrink();
            return failure(seed, shrinker.smallest(), shrinker.broken());
        } catch (CaseRun.CancelledException e) {
            return null;
        }
    }

    private @Nullable BrokenException trial(SwarmCase what, SwarmTally counted) {
        try {
            CaseRun run = new CaseRun(what, cancelled, meddler);
            counted.add(quick ? run.runQuickly() : run.run());
            return null;
        } catch (BrokenException e) {
            return e;
        }
    }

    private Failure failure(long seed, SwarmCase smallest, BrokenException broken) {
        List<String> elements = smallest.elements();
        boolean whole = elements.size() == CaseDrawer.draw(seed, drawing).elements().size();
        List<String> command =
                new ArrayList<>(List.of("headgate verify --seed", seed + drawing.arguments()));
        if (!whole) {
            command.add("--only " + String.join(",", elements));
        }
        if (quick) {
            command.add("--quick");
        }
        Throwable cause = broken.getCause();
        return new Failure(
                seed,
                Reason.of(broken),
                String.join(" ", command),
                smallest.describe(),
                cause == null ? broken : cause);
    }
}
