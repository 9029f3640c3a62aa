package io.headgate.testbed.swarm;

import io.headgate.testbed.swarm.check.BrokenException;
import io.headgate.testbed.swarm.draw.SwarmCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a failing case smaller: leaves out one element after the other while it still fails. */
final class Shrinker {
    private final Function<SwarmCase, @Nullable BrokenException> trial;
    private SwarmCase smallest;
    private BrokenException broken;
    private int trialsLeft;

    /**
     * @param trial runs a case, and returns the failed check; null: none
     * @param mostTrials maximum number of trials
     */
    Shrinker(
            SwarmCase failing,
            BrokenException broken,
            Function<SwarmCase, @Nullable BrokenException> trial,
            int mostTrials) {
        this.smallest = failing;
        this.broken = broken;
        this.trial = trial;
        this.trialsLeft = mostTrials;
    }

    void shrink() {
        int part = Math.max(1, smallest.elements().size() / 2);
        while (trialsLeft > 0) {
            boolean smaller = leaveOut(part);
            if (part > 1) {
                part = part / 2;
            } else if (!smaller) {
                return;
            }
        }
    }

    /** Leaves out {@code part} elements at a time; answers whether that succeeded for any. */
    private boolean leaveOut(int part) {
        boolean any = false;
        List<String> names = new ArrayList<>(smallest.elements());
        for (int from = 0; from < names.size() && trialsLeft > 0; from += part) {
            Set<String> kept = new TreeSet<>(smallest.elements());
            names.subList(from, Math.min(names.size(), from + part)).forEach(kept::remove);
            any |= isEnough(kept);
        }
        return any;
    }

    private boolean isEnough(Set<String> kept) {
        Optional<SwarmCase> without = smallest.only(kept);
        if (without.isEmpty() || without.get().elements().size() >= smallest.elements().size()) {
            return false;
        }
        trialsLeft--;
        BrokenException still = trial.apply(without.get());
        if (still == null) {
            return false;
        }
        smallest = without.get();
        broken = still;
        return true;
    }

    SwarmCase smallest() {
        return smallest;
    }

    BrokenException broken() {
        return broken;
    }
}
