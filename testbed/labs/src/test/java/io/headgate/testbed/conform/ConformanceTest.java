package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Check;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The switch passes every case in virtual time, and each case fails where its property is gone. */
class ConformanceTest {
    /** Where marks begin in C36 and C40. */
    private static final String MARKS_BEGIN =
            "kmin: \"$(if($bed = virtual, 20, 45))kB\", kmax: \"$(if($bed = virtual, 40, 55))kB\"";

    private static final String PORTS_OF_C20 =
            "flow-control: pfc, link: {when: $bed = netns, own-reaction: 300us, peer-reaction:"
                    + " 300us}, lossless: [3, 4]";

    /**
     * A wrong switch.
     *
     * @param text in the case's file, in whose place is {@code wrong}
     * @param seenBy how the measure begins that has to be among those that tell
     */
    record Defect(String number, String text, String wrong, String seenBy) {
        @Override
        public String toString() {
            return number + " " + wrong;
        }
    }

    private static final List<Defect> DEFECTS =
            List.of(
                    new Defect(
                            "c01",
                            "lossless: [3, 4]",
                            "lossless: [3]",
                            "max of s1/p2 frames.started.p4"),
                    new Defect(
                            "c02",
                            "lossless: [3, 4]",
                            "lossless: [0, 3, 4]",
                            "last of s1/p2 stopped.ns.p0"),
                    new Defect(
                            "c02",
                            "lossless: [3, 4]",
                            "lossless: [3, 4, 7]",
                            "last of s1/p2 stopped.ns.p7"),
                    new Defect(
                            "c03",
                            "flow-control: $mode",
                            "flow-control: pfc",
                            "max of s1/p2 frames.transmitted"),
                    new Defect("c04", ", vector: 0}", "}", "last of s1/p2 stopped.ns.p3"),
                    new Defect(
                            "c04",
                            "lossless: [3]",
                            "lossless: [2, 3]",
                            "last of s1/p2 stopped.ns.p2"),
                    new Defect("c05", "lossless: [3]", "lossless: [4]", "time paused"),
                    new Defect("c05", "lossless: [3]", "lossless: [4]", "sent soon after it"),
                    new Defect("c06", "lossless: [3]", "lossless: [4]", "sent"),
                    new Defect(
                            "c07",
                            "lossless: [0, 1, 2, 3, 4, 5, 6, 7]",
                            "lossless: [3]",
                            "pauses of 0"),
                    new Defect(
                            "c09",
                            "lossless: [3, 4]",
                            "lossless: [0, 3, 4]",
                            "last of s1/p1 pfc.xoff.sent.p0"),
                    new Defect(
                            "c10",
                            "lossless: [3, 4],",
                            "lossless: [3, 4], priority-rates: [{priority: 3, rate: 1Gbps}],",
                            "rate"),
                    new Defect("c11", "scheduler: dwrr", "scheduler: strict", "lossy out"),
                    new Defect(
                            "c12", "scheduler: dwrr", "scheduler: strict", "mean of throughput p0"),
                    new Defect("c13", "xon: 20kB}", "xon: 20kB, headroom: 0B}", "lost"),
                    new Defect(
                            "c14",
                            "headroom: 20kB",
                            "headroom: 10kB",
                            "last of s1/p1 buffer.max.bytes.p3"),
                    new Defect("c14", "xoff: 50kB", "xoff: 40kB", "last of s1/p1 pfc.xoff.sent.p3"),
                    new Defect("c15", "xon: 15kB", "xon: 25kB", "max of s1/p1 pfc.xon.sent.p3"),
                    new Defect("c15", "xon: 15kB", "xon: 0B", "max of s1/p1 pfc.xon.sent.p3"),
                    new Defect("c16", "xon: 20kB}", "xon: 20kB, headroom: 2kB}", "lost"),
                    new Defect("c16", "xon: 20kB}", "xon: 20kB, headroom: 1MB}", "lost"),
                    new Defect(
                            "c17",
                            "headroom: 10kB",
                            "headroom: 5kB",
                            "last of s1/p1 buffer.max.bytes.p3"),
                    new Defect("c18", "shared: 400kB", "shared: 300kB", "frames received of p0"),
                    new Defect("c19", "xon: 90kB}", "xon: 90kB, headroom: 0B}", "frames dropped"),
                    new Defect("c20", "xon: 20kB}", "xon: 20kB, headroom: 0B}", "lost"),
                    new Defect("c20", PORTS_OF_C20, "flow-control: pause", "mean of throughput AX"),
                    new Defect("c21", "queue-limit: 60kB", "queue-limit: 30kB", "lost"),
                    new Defect(
                            "c21",
                            "rate: $rate, delay: 100ns",
                            "rate: $rate, delay: 100us",
                            "largest delay"),
                    new Defect(
                            "c22", "action: drop", "action: alert", "frames received of during3"),
                    new Defect(
                            "c23",
                            "name: td, unit: duration, value: 4 * $tp}",
                            "name: td, unit: duration, value: $tp}",
                            "last of s1/p2 watchdog.storms.p3"),
                    new Defect("c24", "poll: $tp", "poll: $td", "latest found"),
                    new Defect("c25", "action: drop", "action: alert", "frames dropped"),
                    new Defect(
                            "c25",
                            "restoration: $td",
                            "restoration: $(20 * $pause)ns",
                            "frames received of again"),
                    new Defect(
                            "c26",
                            "restoration: $td",
                            "restoration: $tp",
                            "max of s1/p2 watchdog.restored.p3"),
                    new Defect(
                            "c27",
                            "restoration: $td",
                            "restoration: $(20 * $pause)ns",
                            "max of s1/p2 watchdog.restored.p3"),
                    new Defect(
                            "c28",
                            "detection: $td",
                            "detection: $(4 * $pause)ns",
                            "last of s1/p1 watchdog.storms.p3"),
                    new Defect("c28", "action: drop", "action: forward", "frames dropped"),
                    new Defect(
                            "c29",
                            "delay: 100ns}",
                            "delay: 100ns, faults: {loss: 0.001}}",
                            "lost there"),
                    new Defect(
                            "c30",
                            "action: drop",
                            "action: alert",
                            "max of s1/p1 pfc.stopping.now.ns.p3"),
                    new Defect(
                            "c30", "action: drop", "action: forward", "frames received of stormed"),
                    new Defect("c31", "action: forward", "action: alert", "forwarded"),
                    new Defect("c31", "{action: drop}", "{action: forward}", "forwarded then"),
                    new Defect(
                            "c32",
                            "action: drop",
                            "action: alert",
                            "max of s1/p1 pfc.stopping.now.ns.p3"),
                    new Defect(
                            "c33",
                            "p2: {watchdog: null}",
                            "p2: {queue-limit: 400kB}",
                            "max of s1/p2 queue.frames"),
                    new Defect(
                            "c33",
                            "restoration: $td",
                            "restoration: $(20 * $pause)ns",
                            "frames received of after"),
                    new Defect(
                            "c34",
                            "{p1: {buffers: {alpha: 2}}, p2: {buffers: {alpha: 2}}}",
                            "{p3: {watchdog: null}}",
                            "last of s1/p3 watchdog.restored.p3"),
                    new Defect(
                            "c34",
                            "detection: $td, restoration: $td, poll: $tp",
                            "detection: 100us, restoration: 100us, poll: 50us",
                            "last of s1/p3 watchdog.storms.p3"),
                    new Defect(
                            "c35",
                            "delay: 100ns}",
                            "delay: 100ns, faults: {loss: 0.3}}",
                            "time paused"),
                    new Defect(
                            "c36", MARKS_BEGIN, "kmin: 1MB, kmax: 2MB", "frames marked of capable"),
                    new Defect(
                            "c36",
                            "priorities: [3]",
                            "priorities: [3, 4]",
                            "frames marked of elsewhere"),
                    new Defect("c37", "kmax: 100kB}", "kmax: 100kB, weight: 0.005}", "first marks"),
                    new Defect(
                            "c37",
                            "kmin: 100kB, kmax: 100kB",
                            "kmin: 50kB, kmax: 50kB",
                            "frames marked of data"),
                    new Defect("c38", "pmax: $share", "pmax: 0.5", "marked"),
                    new Defect(
                            "c38",
                            "kmin: 500kB, kmax: 2MB",
                            "kmin: 1813kB, kmax: 1814kB",
                            "marked of the lower half"),
                    new Defect("c38", "kmax: 2MB", "kmax: 3MB", "marked first"),
                    new Defect(
                            "c39",
                            "xoff: 60kB, xon: 50kB",
                            "xoff: 8kB, xon: 4kB",
                            "pause after mark"),
                    new Defect("c40", MARKS_BEGIN, "kmin: 1MB, kmax: 2MB", "marks of 0"),
                    new Defect("c40", "pmax: 1}", "pmax: 1, weight: 0.001}", "marks after 0"),
                    new Defect("c41", "kmin: 59999B", "kmin: 20kB", "share"),
                    new Defect("c42", "scheduler: [$w0", "scheduler: [1", "share of p0"),
                    new Defect("c43", "scheduler: [$w0", "scheduler: [1", "share of p0"),
                    new Defect(
                            "c44",
                            "{scheduler: [10, 20, 30, 40, 1, 1, 1, 1]}",
                            "{scheduler: [10, 20, 30, 40, 1, 1, 1, 1], queue-limit: 2kB}",
                            "lost"),
                    new Defect(
                            "c44",
                            "delay: 100ns}",
                            "delay: 100ns, faults: {loss: 0.05}}",
                            "frames counted"),
                    new Defect(
                            "c45", "scheduler: strict", "scheduler: dwrr", "mean of throughput p7"),
                    new Defect(
                            "c46",
                            "lossless: [3, 4]",
                            "lossless: [0, 1, 2, 5, 6, 7]",
                            "last of s1/p1 link.control.transmitted"),
                    new Defect(
                            "c47", "lossless: [3]", "lossless: [4]", "packets repeated of storage"),
                    new Defect(
                            "c48",
                            "xoff-slots: 150",
                            "xoff-slots: 1000",
                            "last of s1/p1 buffer.max.slots.p3"));

    private static CaseResult run(ConformanceCase one, String rates) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return new ConformanceRun(BedKind.VIRTUAL, rates, 1, nowhere, false).run(one);
    }

    private static void passes(ConformanceCase one, String rates) throws Exception {
        CaseResult result = run(one, rates);
        assertThat(result.verdict()).as(result.seen()).isEqualTo(Verdict.PASS);
    }

    static Stream<ConformanceCase> cases() {
        return ConformanceCase.all().stream();
    }

    static Stream<Defect> defects() {
        return DEFECTS.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theSwitchPasses(ConformanceCase one) throws Exception {
        passes(one, "400Gbps");
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theSwitchPassesAtAllRates(ConformanceCase one) throws Exception {
        passes(one, "");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void aSwitchWithoutThePropertyFails(Defect defect) throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of(defect.number())).getFirst();
        assertThat(one.text()).contains(defect.text());
        String text = one.text().replace(defect.text(), defect.wrong());
        CaseResult result = run(new ConformanceCase(one.number(), one.name(), text), "10Gbps");
        assertThat(result.checks().stream().filter(check -> !check.passed()).map(Check::what))
                .as(result.seen())
                .anyMatch(what -> what.startsWith(defect.seenBy()));
    }

    /**
     * Shares and rates that a machine may blur: a tenth less of one of them is seen there, too; of
     * C43, whose bounds are points of the line, four points less.
     */
    static Stream<Defect> tenths() {
        return Stream.of(
                new Defect(
                        "c10",
                        "lossless: [3, 4],",
                        "lossless: [3, 4], priority-rates: [{priority: 3, rate:"
                                + " $(round(0.4 * $rate))bps}],",
                        "rate"),
                new Defect(
                        "c11",
                        "scheduler: dwrr",
                        "scheduler: dwrr, priority-rates: [{priority: 0, rate:"
                                + " $(round(0.033 * $out))bps}]",
                        "lossy out"),
                new Defect(
                        "c12",
                        "scheduler: dwrr",
                        "scheduler: [18, 20, 20, 20, 20, 1, 1, 1]",
                        "mean of throughput p0"),
                new Defect("c18", "shared: 400kB", "shared: 360kB", "frames received of p0"),
                new Defect(
                        "c20",
                        "scheduler: dwrr",
                        "scheduler: dwrr, priority-rates: [{priority: 4, rate:"
                                + " $(round(0.45 * $rate))bps}]",
                        "mean of throughput AX"),
                new Defect("c21", "queue-limit: 60kB", "queue-limit: 54kB", "lost"),
                new Defect(
                        "c42",
                        "ports: {",
                        "ports: {priority-rates: [{priority: 0, rate:"
                                + " $(round(0.009 * $w0 * $rate))bps}], ",
                        "share of p0"),
                new Defect(
                        "c43",
                        "ports: {",
                        "ports: {priority-rates: [{priority: 2, rate:"
                                + " $(round((0.12 + 0.2 * (1 - $four)) * $rate))bps}], ",
                        "share of p2"),
                new Defect(
                        "c45",
                        "scheduler: strict",
                        "scheduler: strict, priority-rates: [{priority: 7, rate:"
                                + " $(round(0.225 * $rate))bps}]",
                        "mean of throughput p7"));
    }

    /** The case as it is on real frames, but for the machine. */
    private static ConformanceCase asOnRealFrames(ConformanceCase one, String text) {
        return new ConformanceCase(
                one.number(),
                one.name(),
                text.replace("$bed = virtual", "0 = 1").replace("$bed = netns", "1 = 1"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tenths")
    void boundsOfRealFramesSeeATenth(Defect defect) throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of(defect.number())).getFirst();
        passes(asOnRealFrames(one, one.text()), "10Gbps");
        assertThat(one.text()).contains(defect.text());
        String text = one.text().replace(defect.text(), defect.wrong());
        CaseResult result = run(asOnRealFrames(one, text), "10Gbps");
        assertThat(result.checks().stream().filter(check -> !check.passed()).map(Check::what))
                .as(result.seen())
                .anyMatch(what -> what.startsWith(defect.seenBy()));
    }

    @Test
    void everyCaseHasADefect() {
        assertThat(DEFECTS.stream().map(Defect::number).distinct())
                .containsExactlyElementsOf(cases().map(ConformanceCase::number).toList());
    }

    @Test
    void casesAreFoundByNumberAndName() throws Exception {
        assertThat(ConformanceCase.named(List.of("C05", "c01-storm-on-lossless")))
                .extracting(ConformanceCase::number)
                .containsExactly("c01", "c05");
    }
}
