package io.headgate.control.cli.web;

import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.web.LiveNetwork;
import io.headgate.control.web.WebOption;
import io.headgate.control.web.WebServer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate web}: the page of switches that run already. */
@Command(
        name = "web",
        description = {
            "Shows switches that run, and the network between them, live on a page for browsers of"
                    + " this machine, until ^C: links by their use, pauses, queues, drops.",
            "Labs and switches have it themselves with --web. Nothing can be changed from it."
        })
public final class WebCommand extends HeadgateCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = WebOption.Port.class,
            description = "Where it is served; any port that is free if not given.")
    private int port;

    @Parameters(
            arity = "0..*",
            paramLabel = "SWITCH",
            description = "The switches; all that run, now or later, if not given.")
    private @Nullable List<String> names;

    @Override
    public Integer call() throws DaemonException, InterruptedException {
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
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
        print("^C ends it\n");
        new CountDownLatch(1).await();
        return 0;
    }
}
