package io.headgate.testbed.scenario.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.Result.Part;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import io.headgate.testbed.scenario.report.Result.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a result as JSON. */
public final class ResultJson {
    static final String FORMAT = "headgate-result";
    static final int VERSION = 1;
    static final String RUNS = "runs";

    private ResultJson() {}

    /**
     * All of it.
     *
     * @param runs made one by one as they are written: all of them would be too much at once
     */
    private record Document(
            String format,
            int version,
            String scenario,
            String title,
            String source,
            String claim,
            @Nullable ScenarioText scenarioFile,
            SweepRequest request,
            Verdict verdict,
            String headline,
            List<String> failures,
            List<String> warnings,
            List<String> statements,
            List<Check> checks,
            List<FigureHead> figures,
            List<TitledTable> tables,
            String sweepId,
            int runsInAll,
            List<String> varied,
            List<Allowed> parameters,
            List<Part> parts,
            Iterator<RunDocument> runs) {}

    private record FigureHead(
            String name, String title, String paperSays, String measured, String files) {
        FigureHead(Figure of) {
            this(
                    of.name(),
                    of.title(),
                    of.paperSays(),
                    of.measured(),
                    "figures/" + of.name() + ".svg, .png, .csv");
        }
    }

    private record TitledTable(String title, List<String> headings, List<List<String>> rows) {
        TitledTable(Findings.Titled of) {
            this(of.title(), of.table().headings(), of.table().rows());
        }
    }

    private record Allowed(
            String name,
            String unit,
            @JsonProperty("default") String defaults,
            String allowed,
            String meaning) {
        Allowed(Parameter of) {
            this(
                    of.name(),
                    of.unit() == null ? "word" : of.unit().symbol(),
                    of.defaultText(),
                    of.range(),
                    of.meaning());
        }
    }

    /** Writes the whole result, including series. */
    static void write(Result result, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            ResultMapping.INDENTED.writeValue(out, document(result, true));
        }
    }

    /**
     * The result without series and configurations, for programs that read it from standard input.
     */
    public static String brief(Result result) {
        return ResultMapping.INDENTED.writeValueAsString(document(result, false));
    }

    private static Document document(Result result, boolean whole) {
        About about = result.scenario().about();
        SweepDescription sweep = result.sweep();
        Findings findings =
                result.findings() == null
                        ? new Findings(List.of(), List.of(), List.of())
                        : result.findings();
        return new Document(
                FORMAT,
                VERSION,
                about.name(),
                about.title(),
                about.source(),
                about.claim(),
                sweep.file(),
                sweep.request(),
                result.verdict(),
                result.headline(),
                result.failures(),
                result.warnings(),
                findings.statements(),
                findings.checks(),
                findings.figures().stream().map(FigureHead::new).toList(),
                findings.tables().stream().map(TitledTable::new).toList(),
                sweep.id(),
                sweep.cellsInAll(),
                sweep.varied(),
                result.scenario().parameters().stream().map(Allowed::new).toList(),
                result.parts(),
                result.results().stream().map(run -> RunDocument.of(sweep, run, whole)).iterator());
    }
}
