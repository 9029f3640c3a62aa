package io.headgate.testbed.scenario.file;

import static io.headgate.config.key.Quantity.DELAY;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.scenario.bed.Experiment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a scenario file says. */
record ScenarioFile(
        @Key
                @Says("What the hosts send.")
                @Allowed("a list, such as [{name: web, from: h1, to: h4}]")
                @Items(
                        min = 1,
                        max = 10000,
                        repeats = true,
                        each =
                                "a mapping with name, from and to, such as {name: web, from: [h1,"
                                        + " h2], to: h4}, or with name and flows or collective")
                List<TrafficEntry> traffic,
        @Key
                @Says(
                        "Pauses that hosts send, needed or not, ahead of all data and exactly at"
                                + " these times.")
                @Otherwise("none")
                @Allowed("a list, such as [{from: h2, priorities: [3], start: 1ms, stop: 2ms}]")
                @Items(
                        max = 1000,
                        each =
                                "a mapping with from, such as {from: h2, priorities: [3, 4], start:"
                                        + " 1ms, stop: 2ms}")
                List<PausesEntry> pauses,
        @Key(pattern = TrafficEntry.HOST)
                @Says("Hosts whose cards send on when they are asked to stop, and never ask.")
                @Otherwise("none")
                @Allowed(TrafficEntry.HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = TrafficEntry.HOST_ALLOWED)
                List<String> deaf,
        @Key
                @Says("Classes of flows by size, which have all measures that single flows have.")
                @Otherwise("none")
                @Allowed("a list, such as [{name: short, of: web, to: 100kB}]")
                @Items(
                        max = 100,
                        each =
                                "a mapping with name and of, such as {name: short, of: web, to:"
                                        + " 100kB}")
                List<SizeClass> classes,
        @Key
                @Says("Series that are made of recorded ones.")
                @Otherwise("none")
                @Allowed("a list, such as [{name: received in all, of: throughput, unit: Gb/s}]")
                @Items(
                        max = 1000,
                        repeats = true,
                        each =
                                "a mapping with name and one of of and value, and each and as or"
                                    + " neither, such as {name: received in all, of: throughput,"
                                    + " unit: Gb/s}")
                List<DerivedSeries> series,
        @Key
                @Says(
                        "Numbers that are made of measured ones, of samples of series, and times at"
                                + " which a series has a level.")
                @Otherwise("none")
                @Allowed(
                        "a list, such as [{name: share of a, value: '[throughput of a] /"
                                + " [throughput of b]'}]")
                @Items(
                        max = 10000,
                        repeats = true,
                        each =
                                "a mapping with name and one of value, reaches, settles, last and"
                                    + " samples, the second and third with level, the fourth with"
                                    + " above or below, the fifth with as, such as {name: full"
                                    + " after, reaches: queue s1/p4, level: 490}")
                List<OwnMeasure> measures,
        @Key
                @Says(
                        "Figures: a measure against a parameter, a series over time, or the"
                            + " distribution of what flows needed.")
                @Otherwise("throughput, queues and counters over time")
                @Allowed("a list, such as [{y: throughput of web, x: senders}]")
                @Items(
                        max = 20,
                        repeats = true,
                        each = "a mapping with y, such as {y: throughput of web, x: senders}")
                List<PlotEntry> plot,
        @Key
                @Says(
                        "Tables: which values of a parameter are first, next and last by measures,"
                                + " in each setting of all others; means over seeds, the same where"
                                + " they differ by less than a hundredth.")
                @Otherwise("none")
                @Allowed(
                        "a list, such as [{title: Who wins, by: control, least: [mean completion of"
                                + " web]}]")
                @Items(
                        max = 20,
                        each =
                                "a mapping with title, by, and most or least, such as {title: Who"
                                        + " wins, by: control, least: [mean completion of web]}")
                List<Ranked> rank,
        @Key
                @Says(
                        "Tables: a row for each setting, with what was varied and means of measures"
                                + " over its seeds.")
                @Otherwise("none")
                @Allowed("a list, such as [{title: Means, columns: [throughput of web]}]")
                @Items(
                        max = 20,
                        each =
                                "a mapping with title and columns, such as {title: Means, columns:"
                                        + " [throughput of web]}")
                List<MeansTable> table,
        @Key @Otherwise("all of the run") @Nullable Part measure,
        @Key
                @Says(
                        "Settings that differ in one parameter alone, compared: how far their"
                                + " measures are apart, and whether seeds can tell.")
                @Otherwise("nothing is compared")
                @Allowed("a list, such as [{by: control, to: none}]")
                @Items(
                        max = 20,
                        each =
                                "a mapping with by, to and measures, such as {by: control, to:"
                                        + " none, measures: [throughput of web]}")
                List<Compared> compare,
        @Key
                @Says("Sentences on each run, with measures in braces.")
                @Otherwise("what was dropped, and the highest queue")
                @Allowed("a list, such as [{text: 'the queue is full after {full after}'}]")
                @Items(
                        max = 100,
                        repeats = true,
                        each =
                                "a mapping with text, such as {text: 'the queue is full after {full"
                                        + " after}'}")
                List<Saying> say,
        @Key
                @Says("What must come out.")
                @Otherwise("nothing")
                @Allowed("a list, such as [{measure: frames dropped, at-most: 0}]")
                @Items(
                        max = 1000,
                        repeats = true,
                        each =
                                "a mapping with measure, or like and than, and one of near, at-most"
                                    + " and at-least, such as {measure: throughput of web, near:"
                                    + " 9.84, tolerance: 0.01}")
                List<Expectation> expect) {
    /** What {@link Known} calls the file's name. */
    static final String NAME = "file-name";

    /** Flows of some traffic by their size. */
    record SizeClass(
            @Key(pattern = "^[A-Za-z0-9_-]+( [A-Za-z0-9_-]+)*$", max = "32")
                    @Says("What measures and figures call it.")
                    @Allowed("1 to 32 letters, digits, blanks, - or _, such as short")
                    String name,
            @Key(pattern = TrafficEntry.NAME)
                    @Says("The traffic whose flows they are.")
                    @Allowed(Said.TRAFFIC)
                    String of,
            @Key(quantity = SIZE, min = "0B", max = "1000GB", absent = "0B")
                    @Says("Flows of this size and less are not in it.")
                    @Allowed("a size such as 1MB")
                    long aboveBytes,
            @Key(quantity = SIZE, min = "1B", max = "1000GB", absent = "1000GB")
                    @Says("The largest size that is in it.")
                    @Allowed("a size such as 100kB")
                    long toBytes) {}

    /** The part of a run that is measured. */
    @Named(
            value = "measure",
            says =
                    "The part of a run that is measured, without warm-up: flows that begin in it,"
                            + " and bytes that receivers take in it.",
            allowed = "a mapping with from and until, such as {from: 4ms, until: 8ms}",
            min = 1)
    record Part(
            @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s")
                    @Says("Where it begins.")
                    @Allowed("a time such as 4ms, a multiple of the interval of 'record'")
                    long fromPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s")
                    @Says("Where it ends.")
                    @Otherwise("the run's end")
                    @Allowed("a time such as 8ms, a multiple of the interval of 'record'")
                    @Nullable Long untilPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s")
                    @Says(
                            "How long the run goes on behind its duration, at most, until all flows"
                                + " have finished that began in it. Traffic without a 'stop' goes"
                                + " on, too; nothing else is measured of that time.")
                    @Beds(real = "warned: only virtual time has it")
                    @Otherwise("0s")
                    @Allowed("a time such as 20ms")
                    @Nullable Long drainPs) {
        long endPs(long durationPs) {
            return untilPs == null ? durationPs : untilPs;
        }
    }

    /** For which flows the run goes on behind its duration; null: for none. */
    Experiment.@Nullable Drain drain(long durationPs) {
        return measure == null || measure.drainPs == null
                ? null
                : new Experiment.Drain(measure.fromPs, measure.endPs(durationPs), measure.drainPs);
    }

    /** For the schema of the file, which has further keys. */
    static final ConfigSchema SCHEMA = Schemas.ofSomeKeys(ScenarioFile.class, "scenario-keys");
}
