package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Draws pictures of a network's use between two moments, as orders of a lab ask for them. Used by
 * the lab's thread.
 */
final class Pictures {
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;

    /**
     * An end that is as late as this is said as it was taken; less is no more than a look takes.
     */
    private static final double LATE_S = 0.05;

    /** A shorter time did not pass: both ends waited for the same order. */
    private static final double SHORTEST_S = 5e-4;

    /** All counters at a moment, in seconds since the phase began. */
    private record Moment(double seconds, LabCounters switches, List<CounterSnapshot> cards) {}

    private final LabSwitches switches;
    private final List<Losses.Card> cards;
    private final CounterLooks clock;
    private final Map<String, Moment> begun = new HashMap<>();
    private final List<LabFiles.Used> ended = new ArrayList<>();

    /**
     * @param cards of the hosts; empty if they have none of ours
     * @param clock knows when the phase began
     */
    Pictures(LabSwitches switches, List<Losses.Card> cards, CounterLooks clock) {
        this.switches = switches;
        this.cards = List.copyOf(cards);
        this.clock = clock;
    }

    private Moment now() {
        return new Moment(
                clock.nowSeconds(),
                LabCounters.of(switches),
                cards.stream().map(card -> card.counters().get()).toList());
    }

    void begin(OwnLabSpec.Picture picture) {
        begun.put(picture.name(), now());
    }

    /**
     * Ends one that was begun.
     *
     * @param run of several networks that of this one; empty: there is one
     */
    void end(OwnLabSpec.Picture picture, String run) {
        @Nullable Moment before = begun.remove(picture.name());
        if (before == null) {
            throw new IllegalStateException("a picture that was not started: " + picture.name());
        }
        Moment now = now();
        String times = times(picture, before.seconds, now.seconds);
        if (times.isEmpty()) {
            return;
        }
        List<CounterSnapshot> ofCards = new ArrayList<>();
        for (int card = 0; card < cards.size(); card++) {
            ofCards.add(now.cards.get(card).since(before.cards.get(card)));
        }
        double seconds = (now.switches.takenNs() - before.switches.takenNs()) / NS_PER_S;
        ended.add(
                new LabFiles.Used(
                        "network-"
                                + OwnLabSpec.word(picture.name())
                                + (run.isEmpty() ? "" : "-" + OwnLabSpec.word(run)),
                        picture.name() + (run.isEmpty() ? "" : ", " + run) + ": " + times + ".",
                        switches.plan(),
                        now.switches.since(before.switches).loads(seconds, ofCards),
                        seconds));
    }

    /** The period of the picture, in words; empty: no time passed. */
    static String times(OwnLabSpec.Picture picture, double fromS, double toS) {
        return toS - fromS < SHORTEST_S
                ? ""
                : "from "
                        + Numbers.shown(said(picture.fromMs(), fromS), "")
                        + " to "
                        + Numbers.shown(said(picture.untilMs(), toS), "s");
    }

    private static double said(long askedMs, double takenS) {
        double askedS = askedMs / MS_PER_S;
        return takenS - askedS < LATE_S ? askedS : Math.rint(takenS * 10) / 10;
    }

    List<LabFiles.Used> all() {
        return List.copyOf(ended);
    }
}
