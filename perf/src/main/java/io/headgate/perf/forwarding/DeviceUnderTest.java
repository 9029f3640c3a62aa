package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A two-port device under test between {@link BenchNetwork#LEFT} and {@link BenchNetwork#RIGHT} of
 * its namespace. Started once; stopped while another one is measured.
 */
abstract class DeviceUnderTest implements AutoCloseable {
    final Setting setting;
    private final String name;
    private final String attachment;
    private @Nullable ChildProcess process;

    /**
     * A device that is not started yet.
     *
     * @param name what a person calls it
     * @param attachment how it reaches its interfaces: {@code afpacket}, {@code afxdp} or {@code
     *     kernel}
     */
    DeviceUnderTest(Setting setting, String name, String attachment) {
        this.setting = setting;
        this.name = name;
        this.attachment = attachment;
    }

    final String name() {
        return name;
    }

    final String attachment() {
        return attachment;
    }

    abstract String version();

    /** The commands that set it up, in order. */
    abstract List<String> commands();

    /** Starts it; answers once it forwards or is about to. */
    abstract void start() throws BenchException;

    /**
     * Starts the program that forwards.
     *
     * @param log its file's name
     * @param ready what the program says once it is
     */
    final void start(
            List<String> command,
            Map<String, String> environment,
            String log,
            String ready,
            long readySeconds)
            throws BenchException {
        ChildProcess started =
                new ChildProcess(
                        name + " (" + attachment + ")",
                        command,
                        environment,
                        setting.directory().resolve(log));
        process = started;
        started.await(ready, readySeconds);
    }

    /** Leaves it its cores, or takes them away. */
    final void run(boolean running) throws BenchException {
        if (process != null) {
            process.run(running);
        }
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
