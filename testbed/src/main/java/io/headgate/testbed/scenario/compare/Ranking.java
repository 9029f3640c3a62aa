package io.headgate.testbed.scenario.compare;

import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which controls are first, next and last by one measure in one network. What differs by less than
 * a hundredth counts as the same.
 *
 * @param network with what is varied of it
 */
record Ranking(String network, By by, List<Place> places) {
    private static final double SAME = 0.01;
    private static final int NAMED = 3;

    /** Short queues do not rank where links are not used: of the largest use. */
    private static final double LEAST_USE = 0.8;

    /** What controls are ranked by. */
    enum By {
        USE(Judged.USE, "%", true),
        FAIRNESS(Judged.FAIRNESS, "", true),
        QUEUE(Judged.QUEUE, "kB", false),
        P99(Judged.P99, "kB", false),
        COMPLETION(Judged.COMPLETION, "us", false),
        SLOWEST(Judged.SLOWEST, "us", false),
        PAUSES(Judged.PAUSES, "pauses", false),
        STOPPED(Judged.STOPPED, "us", false),
        CONVERGENCE(Judged.CONVERGENCE, "us", false);

        final String measure;
        private final String unit;
        private final boolean isMoreBetter;

        By(String measure, String unit, boolean isMoreBetter) {
            this.measure = measure;
            this.unit = unit;
            this.isMoreBetter = isMoreBetter;
        }
    }

    /** The mean of one control's runs. */
    record Place(String control, double value) {}

    /**
     * Those of one network that use it, by whatever at least two controls have and that tells them
     * apart.
     */
    static List<Ranking> of(String network, List<Group> groups) {
        List<Ranking> rankings = new ArrayList<>();
        double mostUse = groups.stream().mapToDouble(each -> each.mean(Judged.USE)).max().orElse(0);
        List<Group> users =
                groups.stream()
                        .filter(group -> group.mean(Judged.USE) >= LEAST_USE * mostUse)
                        .toList();
        for (By by : By.values()) {
            Comparator<Place> byValue = Comparator.comparingDouble(Place::value);
            List<Place> places =
                    (by == By.USE ? groups : users)
                            .stream()
                                    .map(group ->
                                            new Place(group.control(), group.mean(by.measure)))
                                    .filter(place -> !Double.isNaN(place.value))
                                    .sorted(by.isMoreBetter ? byValue.reversed() : byValue)
                                    .toList();
            if (places.size() > 1 && !isSame(places.getFirst(), places.getLast())) {
                rankings.add(new Ranking(network, by, places));
            }
        }
        return rankings;
    }

    private static boolean isSame(Place one, Place other) {
        return Math.abs(one.value - other.value) <= SAME * Math.abs(one.value);
    }

    private String named(List<Place> some) {
        String names =
                some.stream().limit(NAMED).map(Place::control).collect(Collectors.joining(", "));
        String more = some.size() > NAMED ? " and " + (some.size() - NAMED) + " more" : "";
        return names + more + ": " + Numbers.shown(some.getFirst().value, by.unit);
    }

    private List<Place> sameAs(Place place) {
        return places.stream().filter(other -> isSame(place, other)).toList();
    }

    private String first() {
        return named(sameAs(places.getFirst()));
    }

    /** The best of those that are not first; where that is the last, nothing. */
    private String next() {
        Place first = places.getFirst();
        return places.stream()
                .filter(place -> !isSame(first, place) && !isSame(place, places.getLast()))
                .findFirst()
                .map(place -> named(sameAs(place)))
                .orElse("");
    }

    private String last() {
        return named(sameAs(places.getLast()));
    }

    static Table table(List<Ranking> rankings) {
        return Table.of(
                rankings,
                Table.column("network", Ranking::network),
                Table.column("by", ranking -> ranking.by.measure),
                Table.column("first", Ranking::first),
                Table.column("next", Ranking::next),
                Table.column("last", Ranking::last));
    }
}
