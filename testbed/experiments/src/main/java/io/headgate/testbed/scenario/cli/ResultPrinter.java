package io.headgate.testbed.scenario.cli;

import io.headgate.control.report.Prose;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.CheckSummary;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.ResultJson;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Prints a result for a person or a program. */
final class ResultPrinter {
    /** Lines of a kind that are printed; all are in the report. */
    private static final int MOST = 40;

    private ResultPrinter() {}

    /** Prints the result and returns the exit code. */
    static int print(Result result, Path directory, boolean json) throws ScenarioException {
        List<String> commits = Conclusion.commits(result);
        if (commits.size() > 1) {
            System.err.println(
                    "headgate: these runs were made by different commits, and may differ for that"
                            + " reason: "
                            + String.join(", ", commits)
                            + ".");
        }
        if (json) {
            System.out.println(ResultJson.brief(result));
        } else {
            people(result, directory, System.out);
        }
        return result.verdict() == Result.Verdict.FAIL ? 1 : 0;
    }

    private static void people(Result result, Path directory, PrintStream out)
            throws ScenarioException {
        out.println();
        out.println(result.scenario().about().title());
        out.println(Prose.folded("  " + result.scenario().about().source(), 4));
        Findings findings = result.findings();
        if (findings != null) {
            findings.statements().stream()
                    .limit(MOST)
                    .forEach(statement -> out.println(Prose.folded("  " + statement, 4)));
            if (findings.statements().size() > MOST) {
                int more = findings.statements().size() - MOST;
                out.println("  (" + more + " more are in result.json)");
            }
            for (Findings.Titled titled : findings.tables()) {
                out.println();
                out.println(Prose.folded("  " + titled.title() + ":", 4));
                out.print(titled.table().indented(2));
            }
            out.println();
            checks(findings, out);
            if (!findings.checks().isEmpty() && !findings.figures().isEmpty()) {
                out.println();
            }
            for (Figure figure : findings.figures()) {
                out.println("  Figure " + directory.resolve("figures/" + figure.name() + ".svg"));
            }
        }
        files("  Recording ", ResultDirectory.recordings(directory), out);
        files("  Capture ", ResultDirectory.captures(directory), out);
        out.println("  Report " + directory.resolve("report.html"));
        out.println();
        result.failures().forEach(failure -> out.println("FAIL: " + failure));
        result.warnings()
                .forEach(warning -> out.println(Prose.folded("WARNING: " + warning + ".", 9)));
        out.println(result.headline());
    }

    private static void files(String what, List<Path> files, PrintStream out) {
        files.stream().limit(MOST).forEach(file -> out.println(what + file));
        if (files.size() > MOST) {
            out.println("  (" + (files.size() - MOST) + " more in the same directory)");
        }
    }

    /** Failures first, and runs that differ only in their seeds in one line. */
    private static void checks(Findings findings, PrintStream out) {
        List<CheckSummary> all = CheckSummary.of(findings.checks());
        for (CheckSummary one : all.stream().limit(MOST).toList()) {
            String mark = one.passed() ? "  pass  " : "  FAIL  ";
            out.println(Prose.folded(mark + one.sentence(), 10));
        }
        if (all.size() > MOST) {
            long failed = all.stream().skip(MOST).filter(one -> !one.passed()).count();
            out.println(
                    "  ("
                            + (all.size() - MOST)
                            + " more are in report.html, "
                            + (failed == 0 ? "all passed" : failed + " of them failed")
                            + ")");
        }
    }
}
