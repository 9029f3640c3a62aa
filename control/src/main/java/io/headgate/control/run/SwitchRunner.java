package io.headgate.control.run;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterFile;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.counter.CounterReader;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.EngineWarmUp;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts switches in this process. */
public final class SwitchRunner {
    private static final int COUNTER_ALIGNMENT_BYTES = 128;

    private SwitchRunner() {}

    /**
     * Starts a switch: warms the engine up, starts the workers, opens every device.
     *
     * @throws DeviceException if a device cannot be opened; nothing is left running or open then
     */
    public static RunningSwitch start(SwitchConfig config, SwitchOptions options)
            throws DeviceException {
        if (options.warmUp()) {
            options.log().accept(EngineWarmUp.run(config).describe());
        }
        CounterMemory memory = new CounterMemory(options.counterFile());
        Failures failures = new Failures(options);
        RealTimeSwitch realTime = new RealTimeSwitch(config, memory::allocate, failures);
        options.log()
                .accept(config.name() + ": " + realTime.plan().describe(config.workers().idle()));
        DeviceFactory devices = new DeviceFactory(realTime.engine().region());
        realTime.start();
        try {
            for (int port = 0; port < config.ports().size(); port++) {
                PortDevice device = open(config, devices, port);
                realTime.attach(port, device);
                options.log().accept(describe(config.ports().get(port).name(), device));
            }
        } catch (DeviceException | RuntimeException failure) {
            realTime.close();
            throw failure;
        }
        PortSupervisor supervisor = null;
        if (options.supervise()) {
            supervisor = new PortSupervisor(realTime, devices, options.log());
            failures.tell(supervisor);
            supervisor.start();
        }
        return new RunningSwitch(realTime, devices, supervisor, memory.reader());
    }

    private static PortDevice open(SwitchConfig config, DeviceFactory devices, int port)
            throws DeviceException {
        try {
            return devices.open(config.ports().get(port));
        } catch (DeviceException failure) {
            throw new DeviceException(
                    "port " + config.ports().get(port).name() + ": " + failure.getMessage(),
                    failure);
        }
    }

    private static String describe(String port, PortDevice device) {
        return String.format(
                "port %s: %s %s (%s)%s",
                port,
                device.info().kind(),
                device.info().name(),
                device.info().detail(),
                device.isUp() ? "" : ", its link is down");
    }

    /** Says that a duty failed, and has its port closed. Called by workers. */
    private static final class Failures implements RealTimeSwitch.DutyFailureListener {
        private final SwitchOptions options;
        private final List<String> early = new ArrayList<>();
        private @Nullable PortSupervisor supervisor;

        Failures(SwitchOptions options) {
            this.options = options;
        }

        @Override
        public synchronized void failed(String duty, Throwable failure) {
            StackTraceElement[] trace = failure.getStackTrace();
            String where = trace.length == 0 ? "" : " at " + trace[0];
            options.log().accept(duty + " failed and was stopped: " + failure + where);
            if (supervisor == null) {
                early.add(duty);
            } else {
                supervisor.dutyFailed(duty);
            }
        }

        synchronized void tell(PortSupervisor listener) {
            supervisor = listener;
            early.forEach(listener::dutyFailed);
        }
    }

    /** Keeps what was given to the engine, to read it again. */
    private static final class CounterMemory {
        private final @Nullable Path file;
        private MemorySegment memory = MemorySegment.NULL;

        CounterMemory(@Nullable Path file) {
            this.file = file;
        }

        MemorySegment allocate(long lengthBytes) {
            memory =
                    file == null
                            ? Arena.ofAuto().allocate(lengthBytes, COUNTER_ALIGNMENT_BYTES)
                            : CounterFile.create(file, lengthBytes);
            return memory;
        }

        CounterReader reader() {
            return new CounterReader(memory);
        }
    }
}
