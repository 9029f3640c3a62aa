package io.headgate.control.cli.web;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.web.LiveNetwork;
import io.headgate.control.web.RecordingFile;
import io.headgate.control.web.WebOption;
import io.headgate.control.web.WebServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate web}: serves the page of switches that run already. */
@Command(
        name = "web",
        description = {
            "Shows running switches and the network between them on a live page for browsers of"
                    + " this machine, until ^C: link utilisation, pauses, queues, drops.",
            "Labs and switches can serve it themselves with --web. The page is read-only.",
            "With --play: a recording that 'headgate reproduce' or 'headgate lab' wrote with"
                    + " --record, or is still writing."
        })
public final class WebCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int MOST_RECORDINGS = 2;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = WebOption.Port.class,
            description = "TCP port of the page; by default any free port.")
    private int port;

    @Option(
            names = "--play",
            paramLabel = "FILE",
            description = "Plays a recording instead; given twice, plays two side by side.")
    private @Nullable List<Path> recordings;

    @Parameters(
            arity = "0..*",
            paramLabel = "SWITCH",
            description = "The switches; by default all that run, also those that start later.")
    private @Nullable List<String> names;

    @Override
    public Integer call() throws DaemonException, CommandFailure, InterruptedException {
        if (recordings != null) {
            wait(play(recordings));
        }
        List<String> chosen = names == null ? List.of() : names;
        for (String name : chosen) {
            SwitchClient.choose(RunDirectory.bases(), name);
        }
        WebServer server =
                WebOption.serve(
                        port,
                        LiveNetwork.ofMachine(chosen),
                        chosen.isEmpty() ? "Switches" : String.join(", ", chosen),
                        line -> print(line + "\n"));
        wait(server);
        return 0;
    }

    private WebServer play(List<Path> files) throws DaemonException, CommandFailure {
        if (names != null || files.size() > MOST_RECORDINGS) {
            throw wrong("--play takes one or two recordings and no running switches.");
        }
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                Path unfinished = RecordingFile.unfinished(file);
                throw CommandFailure.badInput(
                        "there is no file "
                                + file
                                + " that can be read"
                                + (Files.isReadable(unfinished)
                                        ? ", but " + unfinished + ", which is still being written"
                                        : ""));
            }
            if (!RecordingFile.isRecording(file)) {
                throw CommandFailure.badInput(
                        file
                                + " is not a recording; 'headgate reproduce' and 'headgate lab' write"
                                + " one with --record");
            }
        }
        return WebOption.play(port, files, line -> print(line + "\n"));
    }

    private void wait(WebServer server) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
        print("^C ends it\n");
        new CountDownLatch(1).await();
    }
}
