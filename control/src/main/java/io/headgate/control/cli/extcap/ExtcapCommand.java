package io.headgate.control.cli.extcap;

import io.headgate.config.Reason;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.capture.CaptureFilter;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SignalWait;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.Json;
import io.headgate.control.run.CaptureRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code headgate extcap}: called by Wireshark for its interface list, and to capture. */
@Command(
        name = "extcap",
        description = {
            "Called by Wireshark, so that its interface list shows the ports of running switches."
                    + " Run once: headgate extcap --install"
        })
public final class ExtcapCommand extends HeadgateCommand implements Callable<Integer> {
    private static final String PREFIX = "headgate-";
    private static final String ALL = "all";
    private static final long POLL_MS = 100;
    private static final int STOP_SECONDS = 5;

    /** A port of a switch, or all of them, as Wireshark names it. */
    private record Interface(SwitchClient.Running running, String port) {
        String value() {
            return PREFIX + running.name() + "-" + port;
        }

        String display() {
            return "Headgate switch "
                    + running.name()
                    + (port.equals(ALL) ? ": all ports and drops" : ", port " + port);
        }
    }

    @Option(
            names = "--install",
            description = "Installs a script for this user where Wireshark finds it.")
    private boolean install;

    @Option(names = "--extcap-interfaces", description = "Lists the interfaces.")
    private boolean interfaces;

    @Option(
            names = "--extcap-interface",
            paramLabel = "NAME",
            description = "The name of the interface.")
    private @Nullable String chosen;

    @Option(names = "--extcap-dlts", description = "Lists its link types.")
    private boolean linkTypes;

    @Option(names = "--extcap-config", description = "Lists its options.")
    private boolean options;

    @Option(
            names = "--extcap-capture-filter",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILTER",
            description = "A filter as in 'headgate capture'; without --capture: only checks it.")
    private @Nullable String filter;

    @Option(names = "--capture", description = "Captures.")
    private boolean capture;

    @Option(names = "--fifo", paramLabel = "FILE", description = "The file or pipe to write to.")
    private @Nullable Path fifo;

    @Option(
            names = "--direction",
            paramLabel = "WHERE",
            description = "all, in, out or drops.",
            defaultValue = ALL)
    private String direction;

    /** Accepts any version. */
    @Option(
            names = "--extcap-version",
            paramLabel = "VERSION",
            description = "Wireshark's; any is served.")
    void version(String ofWireshark) {
        if (ofWireshark.isBlank()) {
            throw wrong("--extcap-version needs a version, such as 4.4.");
        }
    }

    @Override
    public Integer call()
            throws DaemonException, CommandFailure, CaptureException, InterruptedException {
        PrintWriter out = out();
        if (install) {
            install(out);
        } else if (interfaces) {
            out.println("extcap {version=1.0}{display=Headgate}");
            for (Interface one : all()) {
                out.println("interface {value=" + one.value() + "}{display=" + one.display() + "}");
            }
        } else if (linkTypes) {
            out.println("dlt {number=1}{name=EN10MB}{display=Ethernet}");
        } else if (options) {
            out.println(
                    "arg {number=0}{call=--direction}{display=Frames}{tooltip=Where they are"
                            + " seen}{type=selector}");
            out.println("value {arg=0}{value=all}{display=in, out and dropped}{default=true}");
            out.println("value {arg=0}{value=in}{display=that come in}{default=false}");
            out.println("value {arg=0}{value=out}{display=that go out}{default=false}");
            out.println("value {arg=0}{value=drops}{display=that are dropped}{default=false}");
        } else if (capture) {
            capture();
        } else if (filter != null) {
            check(filter, out);
        } else {
            throw wrong(
                    "headgate extcap is called by Wireshark; 'headgate extcap --install' puts it"
                            + " where Wireshark finds it.");
        }
        out.flush();
        return 0;
    }

    /** Prints what is wrong with a filter, as the protocol requires. */
    private static void check(String text, PrintWriter out) {
        try {
            CaptureFilter.check(text);
        } catch (CaptureException e) {
            out.println(e.getMessage());
        }
    }

    /** Interfaces of all switches that this user may ask. */
    private static List<Interface> all() {
        List<Interface> all = new ArrayList<>();
        for (SwitchClient.Running running : SwitchClient.running(RunDirectory.bases())) {
            try {
                List<Interface> of = new ArrayList<>(List.of(new Interface(running, ALL)));
                for (Answers.Port port :
                        Json.list(running.ask("ports", Map.of()), Answers.Port[].class)) {
                    of.add(new Interface(running, port.name()));
                }
                all.addAll(of);
            } catch (DaemonException e) {
                // A switch of another user, or one that has just gone: it has no interface to list.
            }
        }
        return all;
    }

    private Interface wanted() throws CommandFailure {
        return all().stream()
                .filter(one -> one.value().equals(chosen))
                .findFirst()
                .orElseThrow(() ->
                        CommandFailure.badInput(
                                "no running switch has an interface '" + chosen + "'"));
    }

    private void capture() throws DaemonException, CommandFailure, InterruptedException {
        Path to = fifo;
        if (to == null) {
            throw CommandFailure.badInput("--capture needs --fifo FILE");
        }
        Interface from = wanted();
        // Wireshark ends a capture by TERM.
        try (SignalWait signal = new SignalWait(STOP_SECONDS);
                SwitchClient client = from.running.connect()) {
            JsonNode started =
                    client.ask(
                            "capture.start",
                            Map.of(
                                    "file",
                                    to.toAbsolutePath().normalize().toString(),
                                    "ports",
                                    from.port.equals(ALL) ? List.of() : List.of(from.port),
                                    "directions",
                                    direction.equals(ALL) ? List.of() : List.of(direction),
                                    "filter",
                                    filter == null ? "" : filter,
                                    "snapBytes",
                                    CaptureRequest.WHOLE_FRAMES));
            Map<String, Integer> which = Map.of("capture", started.get("capture").asInt());
            boolean isOver = false;
            while (!isOver && !signal.await(POLL_MS)) {
                isOver =
                        Json.COMPACT
                                .treeToValue(
                                        client.ask("capture.status", which), Answers.Capture.class)
                                .over();
            }
            client.ask("capture.stop", which);
        }
    }

    private static void install(PrintWriter out) throws CommandFailure {
        String launcher = System.getenv("HEADGATE_LAUNCHER");
        Path directory = Path.of(System.getProperty("user.home"), ".local/lib/wireshark/extcap");
        Path script = directory.resolve("headgate");
        String text =
                "#!/bin/sh\nexec '"
                        + (launcher == null ? "headgate" : launcher).replace("'", "'\\''")
                        + "' extcap \"$@\"\n";
        try {
            Files.createDirectories(directory);
            Files.writeString(script, text);
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + script + ": " + Reason.of(e));
        }
        out.println(
                script
                        + " is installed; Wireshark and 'tshark -D' now list the ports of your"
                        + " switches");
    }
}
