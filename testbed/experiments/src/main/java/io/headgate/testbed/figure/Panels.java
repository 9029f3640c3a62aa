package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Labels.Labelled;
import io.headgate.testbed.scenario.StudentInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Assigns each line of a figure a panel, and a name there. Runs that differ only in their seeds are
 * replaced by their mean; lines that do not fit in one panel become small multiples with the same
 * axes.
 *
 * @param names names of the panels; a single empty one: nothing to distinguish
 * @param series names, in the order of the lines
 * @param notes notes for the caption on how lines were combined
 */
record Panels(List<String> names, List<String> series, List<Placed> lines, List<String> notes) {
    /**
     * Maximum number of panels; more would be too small. Lines that are not drawn are in the CSV of
     * all series.
     */
    static final int MOST = 12;

    /** More lines of several quantities and several runs get a panel for each run. */
    private static final int CROWDED = 4;

    /** More lines than this over more points than that get several panels, too. */
    private static final int TANGLED = 3;

    private static final int CURVE = 40;

    /** Two lines no further apart than this share of the range are one to the eye. */
    private static final double HIDDEN = 0.004;

    Panels {
        names = List.copyOf(names);
        series = List.copyOf(series);
        lines = List.copyOf(lines);
        notes = List.copyOf(notes);
    }

    /** A line in its panel. */
    record Placed(String panel, String series, Line line) {}

    static Panels of(Figure figure) {
        List<String> notes = new ArrayList<>();
        List<Line> lines = figure.lines().stream().filter(line -> line.x().length > 0).toList();
        return arrange(distinct(meansOverSeeds(lines, notes)), notes).shown(figure.print());
    }

    /** With the names that the figure has for what it shows. */
    private Panels shown(Figure.Print print) {
        return new Panels(
                names.stream().map(print::shown).toList(),
                series.stream().map(print::shown).distinct().toList(),
                lines.stream()
                        .map(one ->
                                new Placed(
                                        print.shown(one.panel()),
                                        print.shown(one.series()),
                                        one.line()))
                        .toList(),
                notes);
    }

    /** One line instead of those of several seeds, where their points have the same x. */
    private static List<Line> meansOverSeeds(List<Line> lines, List<String> notes) {
        Map<List<Object>, List<Line>> runs = new LinkedHashMap<>();
        for (Line line : lines) {
            Labelled name = Labels.split(line.name());
            List<Object> key = List.of(name.text(), name.withoutSeed(), line.style(), line.panel());
            boolean ofSeed = name.withoutSeed().size() < name.parts().size();
            runs.computeIfAbsent(
                            ofSeed ? key : List.of(line.name(), runs.size()),
                            _ -> new ArrayList<>())
                    .add(line);
        }
        List<Line> means = new ArrayList<>();
        int seeds = 0;
        boolean onlyFirst = false;
        int alike = 0;
        for (List<Line> same : runs.values()) {
            Line first = same.getFirst();
            Labelled name = Labels.split(first.name());
            if (same.size() == 1) {
                means.add(first);
                continue;
            }
            String called = name.ofAllSeeds();
            boolean atSame = same.stream().allMatch(line -> Arrays.equals(line.x(), first.x()));
            if (atSame && same.stream().allMatch(line -> Arrays.equals(line.y(), first.y()))) {
                means.add(first.withName(called));
                alike = Math.max(alike, same.size());
            } else if (atSame) {
                means.add(mean(called, same).withPanel(first.panel()));
                seeds = Math.max(seeds, same.size());
            } else {
                means.add(first.withName(called));
                onlyFirst = true;
            }
        }
        if (seeds > 0) {
            notes.add("Mean and 95 % t-interval over " + seeds + " seeds.");
        }
        if (alike > 0) {
            notes.add(
                    "The seed changes nothing"
                            + (seeds > 0 || onlyFirst ? " in some curves" : "")
                            + ": one curve for all "
                            + alike
                            + " seeds, without an interval.");
        }
        if (onlyFirst) {
            notes.add("Only the first seed is drawn: points of the others have other times.");
        }
        return means;
    }

    private static Line mean(String name, List<Line> same) {
        double[] x = same.getFirst().x();
        double[] y = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            int at = i;
            StudentInterval of =
                    StudentInterval.of(same.stream().mapToDouble(line -> line.y()[at]).toArray());
            y[i] = of.mean();
            low[i] = of.low();
            high[i] = of.high();
        }
        return new Line(name, same.getFirst().style(), x, y, low, high, "");
    }

    /** No two lines of one name and manner: a second one gets a number. */
    private static List<Line> distinct(List<Line> lines) {
        Set<List<Object>> known = new LinkedHashSet<>();
        List<Line> distinct = new ArrayList<>();
        for (Line line : lines) {
            String name = line.name();
            for (int again = 2; !known.add(List.of(name, line.style(), line.panel())); again++) {
                name = line.name() + " " + again;
            }
            distinct.add(line.withName(name));
        }
        return distinct;
    }

    private static Panels arrange(List<Line> lines, List<String> notes) {
        List<Labelled> names = lines.stream().map(line -> Labels.split(line.name())).toList();
        Set<String> all = new LinkedHashSet<>();
        lines.forEach(line -> all.add(line.name()));
        Set<String> texts = new LinkedHashSet<>();
        Set<String> labels = new LinkedHashSet<>();
        for (Labelled name : names) {
            texts.add(name.text());
            labels.add(String.join(", ", name.parts()));
        }
        if (lines.stream().anyMatch(line -> !line.panel().isEmpty())) {
            return placed(
                    lines,
                    lines.stream()
                            .map(line -> new String[] {line.panel(), inPanel(line, texts, labels)})
                            .toList(),
                    notes);
        }
        boolean crowded = texts.size() > 1 && labels.size() > 1 && all.size() > CROWDED;
        List<String[]> places = new ArrayList<>();
        boolean tangled =
                all.size() > TANGLED
                        && labels.size() > TANGLED
                        && lines.stream().anyMatch(line -> line.x().length > CURVE);
        if (all.size() <= Palette.MOST && !crowded && !tangled && !isAnyHidden(lines)) {
            for (Line line : lines) {
                places.add(new String[] {"", series(line, texts, labels)});
            }
        } else if (texts.size() > 1 && texts.size() <= Palette.MOST) {
            names.forEach(name ->
                    places.add(new String[] {String.join(", ", name.parts()), name.text()}));
        } else {
            byParameter(names, texts.size() == 1, places);
        }
        return placed(lines, places, notes);
    }

    /** What its panel's name does not say of a line. */
    private static String inPanel(Line line, Set<String> texts, Set<String> labels) {
        Labelled name = Labels.split(line.name());
        return String.join(", ", name.parts()).equals(line.panel())
                ? name.text()
                : series(line, texts, labels);
    }

    /** What tells a line from the others: its text, its label, or both. */
    private static String series(Line line, Set<String> texts, Set<String> labels) {
        Labelled name = Labels.split(line.name());
        if (labels.size() == 1) {
            return name.text();
        }
        return texts.size() == 1 && !labels.contains("")
                ? String.join(", ", name.parts())
                : line.name();
    }

    /** Whether a curve lies under another one almost everywhere. */
    private static boolean isAnyHidden(List<Line> lines) {
        double range =
                lines.stream()
                        .flatMapToDouble(line -> Arrays.stream(line.y()))
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0);
        for (int under = 0; under < lines.size(); under++) {
            for (int over = under + 1; over < lines.size(); over++) {
                Line a = lines.get(under);
                Line b = lines.get(over);
                boolean curves = a.x().length > CURVE && a.style() == b.style();
                if (curves && Arrays.equals(a.x(), b.x())) {
                    int same = 0;
                    for (int i = 0; i < a.y().length; i++) {
                        same += Math.abs(a.y()[i] - b.y()[i]) <= HIDDEN * range ? 1 : 0;
                    }
                    if (same > 0.8 * a.y().length) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Panels by all parameters but one, whose values are the series. */
    private static void byParameter(List<Labelled> names, boolean oneText, List<String[]> places) {
        int parts = names.stream().mapToInt(name -> name.parts().size()).min().orElse(0);
        int series = best(names, parts, TANGLED);
        if (series < 0 && names.size() > MOST) {
            series = best(names, parts, Palette.MOST);
        }
        for (Labelled name : names) {
            String label = String.join(", ", name.parts());
            String whole =
                    oneText && !label.isEmpty()
                            ? label
                            : label.isEmpty() ? name.text() : name.text() + ", " + label;
            if (series < 0 || !oneText || parts == 1) {
                places.add(new String[] {whole, ""});
            } else {
                places.add(new String[] {without(name, series), name.parts().get(series)});
            }
        }
    }

    /** The parameter whose few values become series so that fewest panels are left; -1: none. */
    private static int best(List<Labelled> names, int parts, int mostSeries) {
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        for (int part = 0; part < parts; part++) {
            int at = part;
            Set<String> values = new TreeSet<>();
            names.forEach(name -> values.add(name.parts().get(at)));
            Set<String> others = new TreeSet<>();
            names.forEach(name -> others.add(without(name, at)));
            // Schemes share a panel; numbers become panels.
            boolean words = values.stream().noneMatch(value -> value.matches(".* [0-9].*"));
            int cost = others.size() - (words ? names.size() : 0);
            if (values.size() <= mostSeries && values.size() > 1 && cost < fewest) {
                fewest = cost;
                best = part;
            }
        }
        return best;
    }

    private static String without(Labelled name, int part) {
        List<String> others = new ArrayList<>(name.parts());
        others.remove(part);
        return String.join(", ", others);
    }

    /** A panel for each line: a reader cannot distinguish more colours. */
    private static List<String[]> alone(List<String[]> places) {
        return places.stream()
                .map(place -> {
                    String between = place[0].isEmpty() || place[1].isEmpty() ? "" : ", ";
                    return new String[] {place[0] + between + place[1], ""};
                })
                .toList();
    }

    private static Panels placed(List<Line> lines, List<String[]> places, List<String> notes) {
        if (places.stream().map(place -> place[1]).distinct().count() > Palette.MOST) {
            return placed(lines, alone(places), notes);
        }
        Set<String> panels = new LinkedHashSet<>();
        places.forEach(place -> panels.add(place[0]));
        List<String> drawn = panels.stream().limit(MOST).toList();
        if (drawn.size() < panels.size()) {
            notes.add(
                    "Drawn are the first "
                            + MOST
                            + " of "
                            + panels.size()
                            + "; series.csv has all.");
        }
        Set<String> series = new LinkedHashSet<>();
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (drawn.contains(places.get(i)[0])) {
                series.add(places.get(i)[1]);
                placed.add(new Placed(places.get(i)[0], places.get(i)[1], lines.get(i)));
            }
        }
        return new Panels(drawn, List.copyOf(series), placed, notes);
    }

    boolean has(Style style) {
        return lines.stream().anyMatch(line -> line.line().style() == style);
    }
}
