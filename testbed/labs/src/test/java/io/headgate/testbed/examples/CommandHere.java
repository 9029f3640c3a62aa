package io.headgate.testbed.examples;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.cli.CommandProvider;
import io.headgate.control.cli.Headgate;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;

/** Runs commands in this process, with the mechanisms that this class's own loader finds. */
public final class CommandHere {
    private CommandHere() {}

    /** A command's exit code, and all that it printed. */
    public static Map.Entry<Integer, String> run(String... words) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            int code =
                    Headgate.commandLine(ServiceLoader.load(CommandProvider.class))
                            .setOut(new PrintWriter(both, true, StandardCharsets.UTF_8))
                            .setErr(new PrintWriter(both, true, StandardCharsets.UTF_8))
                            .execute(words);
            return Map.entry(code, said.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(err);
            System.setOut(out);
        }
    }

    /** Starts the switch of a file as a daemon; closing it ends it. */
    public static AutoCloseable startSwitch(String... file)
            throws DaemonException, DeviceException {
        SwitchConfig config = SwitchConfigReader.read(Path.of(file[0]));
        return SwitchDaemon.start(
                config, RunDirectory.base(), new SwitchOptions(false, true, null, line -> {}));
    }
}
