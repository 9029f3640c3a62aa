package io.headgate.perf.forwarding;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The program of {@link HeadgateDevice}: a switch of a configuration file, as the daemon runs it,
 * until its standard input ends, which it does with the process that started it.
 */
public final class HeadgateMain {
    /** Printed once all ports are open. */
    static final String READY = "the switch is ready";

    private HeadgateMain() {}

    /**
     * @param args the configuration file
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        try (RunningSwitch running =
                RunningSwitch.start(
                        SwitchConfigReader.read(Path.of(args[0])),
                        SwitchOptions.DEFAULT.withLog(out::println))) {
            out.println(READY);
            System.in.readAllBytes();
            out.println(running.counters().drops());
        } catch (DeviceException | ConfigException failure) {
            out.println(failure.getMessage());
            System.exit(1);
        }
    }
}
