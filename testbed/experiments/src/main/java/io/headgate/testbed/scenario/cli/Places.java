package io.headgate.testbed.scenario.cli;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.submit.FollowedSubmitter;
import io.headgate.testbed.scenario.submit.GnuParallel;
import io.headgate.testbed.scenario.submit.Kubernetes;
import io.headgate.testbed.scenario.submit.Slurm;
import io.headgate.testbed.scenario.submit.Submitter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The places where a sweep can run, by the values of {@code --on} and {@code --script}. */
record Places(Path out) {
    /** The launcher's own path; not set without the launcher, as in a development environment. */
    private static final String LAUNCHER = "HEADGATE_LAUNCHER";

    /** The launcher sets it if --plugins is given. */
    private static final String PLUGINS = "HEADGATE_PLUGINS";

    private static final String IMAGE = "headgate:latest";
    private static final Pattern HOST =
            Pattern.compile("([1-9][0-9]{0,3}/)?[A-Za-z0-9][A-Za-z0-9_.@-]*");

    /** The submitter of a place whose tasks can be followed. */
    FollowedSubmitter followed(String where) throws ScenarioException {
        String what = after(where);
        return switch (kind(where)) {
            case "slurm" -> new Slurm(what, launcher(), out);
            case "ssh" -> parallel(what, "--on");
            default ->
                    throw new ScenarioException(
                            "--on cannot be '"
                                    + Words.shown(where)
                                    + "': allowed is slurm, slurm:OPTIONS and ssh:HOST,HOST");
        };
    }

    /** The submitter of a place whose script can be printed. */
    Submitter script(String where) throws ScenarioException {
        String what = after(where);
        return switch (kind(where)) {
            case "slurm" -> new Slurm(what, launcher(), out);
            case "parallel" -> parallel(what, "--script");
            case "kubernetes" -> {
                requireNoPlugins("Kubernetes");
                yield new Kubernetes(what.isEmpty() ? IMAGE : what);
            }
            default ->
                    throw new ScenarioException(
                            "--script cannot be '"
                                    + Words.shown(where)
                                    + "': allowed is slurm, slurm:OPTIONS, kubernetes,"
                                    + " kubernetes:IMAGE and parallel:HOST,HOST");
        };
    }

    private static String kind(String where) {
        int colon = where.indexOf(':');
        return colon < 0 ? where : where.substring(0, colon);
    }

    private static String after(String where) {
        int colon = where.indexOf(':');
        return colon < 0 ? "" : where.substring(colon + 1);
    }

    private GnuParallel parallel(String hosts, String option) throws ScenarioException {
        requireNoPlugins("machines with ssh");
        List<String> names = List.of(hosts.split(",", -1));
        for (String name : names) {
            if (!HOST.matcher(name).matches()) {
                throw new ScenarioException(
                        option
                                + ": '"
                                + Words.shown(name)
                                + "' is not a host; allowed are names as ssh knows them, with N/ before"
                                + " one for N tasks at a time, and commas between them");
            }
        }
        return new GnuParallel(names, distribution(), launcher(), out);
    }

    /** What is sent there is Headgate alone; Slurm's nodes see the same files. */
    private static void requireNoPlugins(String where) throws ScenarioException {
        if (System.getenv(PLUGINS) != null) {
            throw new ScenarioException(
                    "--plugins does not go with "
                            + where
                            + ", which does not have these jars: allowed are --on slurm and this"
                            + " machine");
        }
    }

    private static Path launcher() throws ScenarioException {
        String launcher = System.getenv(LAUNCHER);
        if (launcher == null) {
            throw new ScenarioException(
                    "this was not started with the launcher headgate, which other machines need: "
                            + LAUNCHER
                            + " names it");
        }
        return Path.of(launcher);
    }

    /** The launcher makes it, unless it has one already. */
    private static Path distribution() throws ScenarioException {
        try {
            Process process =
                    new ProcessBuilder(launcher().toString(), "dist")
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0 || text.isBlank()) {
                throw new ScenarioException(
                        "headgate dist failed, but other machines need its archive");
            }
            return Path.of(text.strip());
        } catch (IOException e) {
            throw new ScenarioException("cannot start " + launcher() + ": " + Reason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioException("was ended early", e);
        }
    }
}
