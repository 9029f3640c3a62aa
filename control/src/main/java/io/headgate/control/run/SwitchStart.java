package io.headgate.control.run;

import io.headgate.config.ConfigException;
import io.headgate.config.CreditRoundTrip;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterFile;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.DutyFailures;
import io.headgate.dataplane.runner.EngineWarmUp;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeSwitch;
import io.headgate.hostagent.CardWarmUp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts a switch: the steps of {@link RunningSwitch#start}. */
final class SwitchStart {
    private static final int COUNTER_ALIGNMENT_BYTES = 128;

    private SwitchStart() {}

    static RunningSwitch start(SwitchConfig config, SwitchOptions options) throws DeviceException {
        if (options.warmUp()) {
            List<String> done = new ArrayList<>(List.of(warmUp(config)));
            config.ports().stream()
                    .map(port -> port.flowControl().mode())
                    .filter(mode -> mode != FlowControlConfig.Mode.NONE)
                    .distinct()
                    .forEach(mode -> done.add(CardWarmUp.run(mode)));
            done.stream().filter(line -> !line.isEmpty()).forEach(options.log());
        }
        CounterMemory memory = new CounterMemory(options.counterFile());
        ErrorRecord errors = new ErrorRecord();
        DutyFailures failures = new DutyFailures(options.log(), errors);
        RealTimeSwitch realTime = build(config, memory, failures);
        options.log().accept(config.name() + ": " + realTime.plan().describe(config.workers()));
        DeviceFactory devices = new DeviceFactory(realTime);
        try {
            for (int port = 0; port < config.ports().size(); port++) {
                PortDevice device = open(config, devices, port);
                realTime.attach(port, device);
                options.log().accept(describe(config.ports().get(port).name(), device));
                warnOfCredits(config.ports().get(port), options.log());
            }
            // Only now: what the first port takes in before the others are in use has nowhere to
            // go, and a short capture file would be over by then.
            realTime.start();
        } catch (DeviceException | RuntimeException failure) {
            realTime.close();
            throw failure;
        }
        PortSupervisor supervisor = null;
        if (options.supervise()) {
            supervisor = new PortSupervisor(realTime, devices, options.log(), errors);
            failures.tell(supervisor);
            supervisor.start();
        }
        return new RunningSwitch(realTime, devices, supervisor, errors, memory.reader());
    }

    private static String warmUp(SwitchConfig config) {
        try {
            return EngineWarmUp.run(config);
        } catch (IllegalArgumentException e) {
            throw unusable(config, e);
        }
    }

    /**
     * Reports a problem that only the whole configuration shows, such as notices without a sender's
     * address.
     */
    private static ConfigException unusable(SwitchConfig config, IllegalArgumentException why) {
        return new ConfigException("switch " + config.name() + ": " + why.getMessage(), why);
    }

    private static RealTimeSwitch build(
            SwitchConfig config, CounterMemory memory, DutyFailures failures)
            throws DeviceException {
        try {
            return new RealTimeSwitch(config, memory::allocate, failures);
        } catch (IllegalArgumentException e) {
            throw unusable(config, e);
        } catch (OutOfMemoryError e) {
            throw new DeviceException(
                    ("%s: not enough memory for %s ports with %s slots each in this layout of"
                                    + " workers (%s); choose fewer workers or a smaller 'memory:"
                                    + " {slots-per-port: …}', or give the JVM more heap:"
                                    + " HEADGATE_JAVA_OPTS=-Xmx2g")
                            .formatted(
                                    config.name(),
                                    config.ports().size(),
                                    config.memory().slotsPerPort(),
                                    e.getMessage()),
                    e);
        }
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

    private static void warnOfCredits(PortConfig port, Consumer<String> log) {
        CreditRoundTrip.of(port)
                .map(CreditRoundTrip::warning)
                .filter(warning -> !warning.isEmpty())
                .ifPresent(warning -> log.accept("port " + port.name() + ": " + warning));
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

    /** Keeps the memory that was given to the engine, to read its counters. */
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
