package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Figure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry of {@code plot}: {@link Plot} draws it. */
record PlotEntry(
        @Key(max = "100")
                @Says(
                        "A measured number as in runs.csv or a measure of a recorded series such as"
                            + " p99 of queue s1/p4, a recorded series itself, such as queue s1/p4,"
                            + " or a list of series; or with ecdf: true completion, slowdown or"
                            + " rate of flows. A star stands for anything: measures of a run, one"
                            + " behind the other, or with x: size, of classes of flows.")
                @Allowed(
                        "text, such as throughput of web, queue s1/p4, share of x* or slowdown of"
                                + " web, or a list of series")
                @Items(min = 1, max = 100, orOne = true, each = "a series, such as queue s1/p4")
                List<String> y,
        @Key(max = "32")
                @Says(
                        "A parameter with numbers, time for a series, or size for a measure of"
                                + " classes with a star.")
                @Otherwise("time for a series, else the parameter with most values")
                @Allowed("a parameter's name, time or size")
                @Nullable String x,
        @Key(max = "32")
                @Says("A parameter whose values become lines of their own.")
                @Otherwise("what else was varied")
                @Allowed("a parameter's name")
                @Nullable String group,
        @Key(max = "32")
                @Says("A parameter whose values become panels of their own.")
                @Otherwise("none")
                @Allowed("a parameter's name")
                @Nullable String facet,
        @Key
                @Says("Axes that are logarithmic.")
                @Otherwise("none")
                @Allowed("a list of x and y, such as [x]")
                @Items(max = 2, unique = true, each = "x or y")
                List<Axis> log,
        @Key(pattern = "^[a-z0-9-]{1,32}$")
                @Says("Of the figure's files.")
                @Otherwise("by what is drawn")
                @Allowed("1 to 32 small letters, digits or -, such as queue")
                String name,
        @Key(max = "120")
                @Says("What the figure shows.")
                @Otherwise("what is drawn")
                @Allowed("text, such as The queue before the congested link")
                String title,
        @Key(max = "400")
                @Says("What the source shows in this figure.")
                @Otherwise("the claim")
                @Allowed("text, such as The queue is stable at its reference")
                String says,
        @Key(max = "60")
                @Says("What stands at the vertical axis, without its unit.")
                @Otherwise("what is drawn")
                @Allowed("text, such as queue of the receiver")
                String label,
        @Key(values = {"b/s", "kb/s", "Mb/s", "Gb/s", "B", "kB", "MB", "GB", "ns", "us", "ms", "s"})
                @Says(
                        "Unit in which the vertical axis is drawn; numbers of limits and most stay"
                                + " in that of what is drawn.")
                @Otherwise("one in which labels have few digits")
                @Allowed("one of b/s, kb/s, Mb/s, Gb/s, B, kB, MB, GB, ns, us, ms and s")
                String unit,
        @Key(codec = Legend.class)
                @Says(
                        "What is shown in place of names of lines, panels and words of the axis, or"
                                + " of parts of them.")
                @Otherwise("names as they are")
                @Allowed(
                        "a mapping of names to texts, such as {rocc: RoCC, 'marks true': with"
                                + " marks}")
                Map<String, String> legend,
        @Key(values = {"1", "2"})
                @Says("Columns of a paper that the figure is wide.")
                @Otherwise("as --columns says")
                @Allowed("1 or 2")
                int width,
        @Key(absent = "false") @Says("Whether lines are drawn as points alone.") boolean points,
        @Key(absent = "false")
                @Says(
                        "Whether several series of a run are drawn as their mean, within a band"
                                + " from the least to the largest.")
                boolean mean,
        @Key(max = "32", absent = "place")
                @Says("What measures that a star stands for are along.")
                @Allowed("text, such as hop")
                String along,
        @Key(absent = "false")
                @Says("Whether what 'expect' says of the measure is drawn, too, as a dashed line.")
                boolean expected,
        @Key(codec = Said.Amount.class)
                @Says("Where the vertical axis ends, though values are above it.")
                @Otherwise("above all values")
                @Allowed(Said.NUMBER)
                double most,
        @Key
                @Says("Lines drawn across.")
                @Otherwise("what the network has")
                @Allowed("a list, such as [{name: reference, value: 150}]")
                @Items(
                        max = 100,
                        repeats = true,
                        each =
                                "a mapping with name and value, such as {name: reference, value:"
                                        + " 150}")
                List<Line> limits,
        @Key
                @Says("Lines drawn upright, at times in us.")
                @Otherwise("none")
                @Allowed("a list, such as [{name: burst, value: 150}]")
                @Items(
                        max = 100,
                        repeats = true,
                        each = "a mapping with name and value, such as {name: burst, value: 150}")
                List<Line> marks,
        @Key(absent = "false")
                @Says("Draws the share of flows that needed no more: an empirical distribution.")
                boolean ecdf) {
    enum Axis {
        X,
        Y
    }

    /** A line with a name. */
    record Line(
            @Key(codec = Said.Word.class, min = "1", max = "40")
                    @Says("What stands next to the line.")
                    @Allowed("text, such as reference")
                    String name,
            @Key(codec = Said.Amount.class)
                    @Says("Where the line is, in the axis's unit.")
                    @Allowed("a number, such as 150, or arithmetic with parameters")
                    double value) {
        static List<Figure.Limit> limits(List<Line> lines) {
            return lines.stream().map(one -> new Figure.Limit(one.name, one.value)).toList();
        }
    }

    /** Names of lines with what is shown in their place. */
    static final class Legend extends Said.Words {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> shown =
                    Codecs.ordered(
                            "type",
                            List.of("string", "number"),
                            "minLength",
                            1,
                            "maxLength",
                            60,
                            "x-allowed",
                            "text, such as DCQCN");
            return Codecs.ordered(
                    "type",
                    "object",
                    "minProperties",
                    1,
                    "maxProperties",
                    40,
                    "additionalProperties",
                    shown);
        }
    }
}
