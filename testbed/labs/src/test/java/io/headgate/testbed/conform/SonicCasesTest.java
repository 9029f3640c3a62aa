package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is imported does what its file says, and what was changed after the import does not. */
class SonicCasesTest {
    private static final Path EXAMPLES = Path.of("examples/conformance");
    private static final Map<String, SonicCases.Made> EXAMPLE = new HashMap<>();

    private static String text(String file) throws Exception {
        return Files.readString(EXAMPLES.resolve(file + ".json"));
    }

    private static CaseResult run(ConformanceCase one) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return new ConformanceRun(BedKind.VIRTUAL, "", 1, nowhere, false).run(one);
    }

    static List<ConformanceCase> cases() throws Exception {
        List<ConformanceCase> all = new ArrayList<>();
        for (String file : List.of("cells", "inside", "fixed")) {
            SonicCases.Made made = example(file);
            assertThat(made.notJudged()).isEmpty();
            all.addAll(made.cases());
        }
        return all;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void whatIsImportedDoesWhatItsFileSays(ConformanceCase one) throws Exception {
        CaseResult result = run(one);
        assertThat(result.verdict()).as(result.seen()).isEqualTo(Verdict.PASS);
    }

    @Test
    void portsThatAreAlikeAreJudgedOnce() throws Exception {
        assertThat(cases())
                .extracting(ConformanceCase::name)
                .filteredOn(name -> name.startsWith("c14"))
                .containsExactly(
                        "c14-Ethernet0 and 2 more",
                        "c14-Ethernet12",
                        "c14-Ethernet0 and 2 more",
                        "c14-Ethernet0",
                        "c14-Ethernet8");
    }

    /** The first line of a case that begins so. */
    private static String line(ConformanceCase one, String begin) {
        return one.text().lines().filter(line -> line.startsWith(begin)).findFirst().orElseThrow();
    }

    private static ConformanceCase of(String port, String text, String number) throws Exception {
        return named(SonicCases.of(text, "file", List.of(number)), port, number);
    }

    private static ConformanceCase named(SonicCases.Made made, String port, String number) {
        return made.cases().stream()
                .filter(one -> one.name().startsWith(number + "-" + port))
                .findFirst()
                .orElseThrow();
    }

    /** All cases of an example, made once. */
    private static SonicCases.Made example(String file) throws Exception {
        SonicCases.Made made = EXAMPLE.get(file);
        if (made == null) {
            made = SonicCases.of(text(file), file, List.of());
            EXAMPLE.put(file, made);
        }
        return made;
    }

    /** A switch of which the file was changed is held against the file as it was. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cells  | Ethernet0  | c09 | \"pfc_enable\": \"3,4\"            | \"pfc_enable\": \"3\"              | last of s1/p1 pfc.xoff.sent.p4",
                "cells  | Ethernet0  | c09 | \"46\": \"5\"                      | \"46\": \"1\"                      | last arrival of code46",
                "cells  | Ethernet0  | c09 | \"4\": \"4\", \"5\": \"2\"         | \"4\": \"1\", \"5\": \"2\"         | last of s1/p1 pfc.xoff.sent.p4",
                "cells  | Ethernet12 | c09 | \"63\": \"1\"                      | \"63\": \"4\"                      | last arrival of code63",
                "cells  | Ethernet0  | c14 | \"xoff\": \"66560\"                | \"xoff\": \"50000\"                | last of s1/p1 buffer.max.bytes.p3",
                "cells  | Ethernet0  | c14 | \"dynamic_th\": \"-3\"             | \"dynamic_th\": \"-2\"             | last of s1/p1 pfc.xoff.sent.p3",
                "cells  | Ethernet0  | c14 | \"size\": \"1248\"                 | \"size\": \"120000\"               | last of s1/p1 pfc.xoff.sent.p3",
                "cells  | Ethernet0  | c15 | \"xon_offset\": \"2288\"           | \"xon_offset\": \"50000\"          | max of s1/p1 pfc.xon.sent.p3",
                "cells  | Ethernet0  | c22 | \"action\": \"drop\"               | \"action\": \"forward\"            | frames received of during",
                "cells  | Ethernet0  | c22 | \"detection_time\": \"400\"        | \"detection_time\": \"800\"        | found",
                "cells  | Ethernet0  | c22 | \"restoration_time\": \"400\"      | \"restoration_time\": \"800\"      | restored",
                "cells  | Ethernet0  | c22 | \"POLL_INTERVAL\": \"200\"         | \"POLL_INTERVAL\": \"400\"         | found",
                "cells  | Ethernet0  | c38 | \"ecn\": \"ecn_all\"               | \"ecn\": \"ecn_none\"              | frames marked of data",
                "cells  | Ethernet0  | c38 | \"2097152\"                        | \"4194304\"                        | frames marked of data",
                "cells  | Ethernet0  | c38 | \"green_drop_probability\": \"5\"  | \"green_drop_probability\": \"10\" | frames marked of data",
                "cells  | Ethernet0  | c38 | `Ethernet12|3-4\": {\"scheduler`   | `Ethernet12|3\": {\"scheduler`     | frames marked of data",
                "inside | Ethernet0  | c14 | \"size\": \"13945824\"             | \"size\": \"10000000\"             | last of s1/p1 pfc.xoff.sent.p3",
                "inside | Ethernet0  | c22 | \"action\": \"forward\"            | \"action\": \"drop\"               | frames received of during",
                "inside | Ethernet0  | c38 | \"150000\"                         | \"1400000\"                        | frames marked of data",
                "fixed  | Ethernet0  | c14 | \"static_th\": \"200000\"          | \"static_th\": \"150000\"          | last of s1/p1 pfc.xoff.sent.p3",
                "fixed  | Ethernet0  | c15 | \"xon_offset\": \"20000\"          | \"xon_offset\": \"100000\"         | max of s1/p1 pfc.xon.sent.p3",
                "fixed  | Ethernet8  | c15 | \"xon\": \"150000\"                | \"xon\": \"200000\"                | max of s1/p1 pfc.xon.sent.p3",
                "fixed  | Ethernet0  | c38 | \"green_drop_probability\": \"20\" | \"green_drop_probability\": \"10\" | frames marked of data",
                "fixed  | Ethernet0  | c38 | \"green_drop_probability\": \"20\" | \"green_drop_probability\": \"40\" | frames marked of data",
            })
    void whatIsNotAsTheFileSaysFails(
            String file, String port, String number, String said, String changed, String seenBy)
            throws Exception {
        String text = text(file);
        assertThat(text).contains(said);
        ConformanceCase judged = named(example(file), port, number);
        ConformanceCase device = of(port, text.replace(said, changed), "c14");
        String wrong = judged.text().replace(line(judged, "  ports: "), line(device, "  ports: "));
        if (wrong.contains("  memory: ")) {
            wrong = wrong.replace(line(judged, "  memory: "), line(device, "  memory: "));
        }
        CaseResult result = run(new ConformanceCase(number, number, wrong));
        assertThat(result.checks().stream().filter(check -> !check.passed()).map(Check::what))
                .as(result.seen())
                .anyMatch(what -> what.startsWith(seenBy));
    }

    @Test
    void aFileOfWhichNothingCanBeJudgedSaysSoAndNotThatTheBedCannot() throws Exception {
        SonicCases.Made made = SonicCases.of(text("cells").replace("3,4", ""), "f", List.of());
        assertThat(made.cases()).isEmpty();
        assertThat(made.notJudged()).isNotEmpty();
        assertThat(new ConformanceReport("headgate conform", List.of()).sentence())
                .isEqualTo("SKIP: no case can judge this file: see above.");
    }

    @Test
    void whatIsNotInTheFileIsNotJudgedAndSaysWhy() throws Exception {
        String text = text("cells");
        assertThat(SonicCases.of(text.replace("ecn_all", "ecn_none"), "f", List.of()).notJudged())
                .containsExactly(
                        "Ethernet0 and 2 more: C38 is not judged: no queue has a WRED_PROFILE with ecn",
                        "Ethernet12: C38 is not judged: no queue has a WRED_PROFILE with ecn");
        String byTag = text.replace("dscp_to_tc_map", "none");
        assertThat(SonicCases.of(byTag, "f", List.of("C14")).notJudged())
                .first()
                .asString()
                .endsWith("the switch classifies by tags, but the frames of this port have none");
        assertThatThrownBy(() -> SonicCases.of(text, "f", List.of("C01")))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(
                        "no case for a config_db.json is named 'c01': allowed is C09, C14, C15,"
                                + " C22, C38");
    }
}
