package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.runner.DutyFailures;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A switch that runs in real time, each half on a worker of its own, its ports on wires in memory
 * that are new whenever a port is opened; a supervisor looks after the ports.
 */
final class LiveSwitch implements AutoCloseable {
    final RealTimeSwitch running;
    final List<String> log = new CopyOnWriteArrayList<>();
    final ErrorRecord errors = new ErrorRecord();
    private final int wireFrames;
    private final List<MemoryWire.FarEnd> hosts = new CopyOnWriteArrayList<>();
    private final PortSupervisor supervisor;

    /** With ports p0, p1 and so on, an even number of them, all of the same keys. */
    LiveSwitch(int ports, int wireFrames, String keys) {
        this.wireFrames = wireFrames;
        StringBuilder text = new StringBuilder("name: s1\nworkers: {layout: per-half}\n");
        text.append("memory: {slots-per-port: 8192}\nbridge: {flood-limit: 100M/s}\n");
        text.append("defaults: {classify: {trust: dscp}, ").append(keys).append("}\nports:\n");
        for (int port = 0; port < ports; port++) {
            text.append("  - {name: p").append(port);
            text.append(", device: {memory: m").append(port / 2).append("}}\n");
        }
        DutyFailures failures = new DutyFailures(log::add, errors);
        running =
                new RealTimeSwitch(
                        SwitchConfigReader.read(text.toString(), "test"),
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        failures);
        Ports all = new Ports();
        for (int port = 0; port < ports; port++) {
            running.attach(port, all.open(port));
        }
        running.start();
        supervisor = new PortSupervisor(running, all, log::add, errors);
        failures.tell(supervisor);
        supervisor.start();
    }

    private final class Ports implements PortSupervisor.Ports {
        @Override
        public List<String> names() {
            return running.engine().config().ports().stream().map(PortConfig::name).toList();
        }

        @Override
        public @Nullable String netns(int port) {
            return null;
        }

        @Override
        public PortDevice open(int port) {
            MemoryWire wire =
                    new MemoryWire(
                            "m" + port, wireFrames, running.engine().region().maxFrameBytes());
            if (port == hosts.size()) {
                hosts.add(wire.farEnd(1));
            } else {
                hosts.set(port, wire.farEnd(1));
            }
            return wire.device(0, running.engine().region());
        }
    }

    /** What is at the other end of a port's wire now. */
    MemoryWire.FarEnd host(int port) {
        return hosts.get(port);
    }

    /** All that has arrived at a host, in order. */
    List<byte[]> collect(int port) {
        List<byte[]> frames = new ArrayList<>();
        MemoryWire.FarEnd host = host(port);
        for (byte[] frame = host.collect(); frame != null; frame = host.collect()) {
            frames.add(frame);
        }
        return frames;
    }

    long value(String owner, String label) {
        return TestSwitch.value(running.engine().counters(), owner, label);
    }

    long drops(String port, DropReason reason) {
        return value(port, "drop." + reason);
    }

    /** Frames of all ports that were dropped, whatever for. */
    long drops() {
        var counters = running.engine().counters();
        return CounterLookup.sum(
                counters.entries(), counters::value, "drops", e -> e.label().startsWith("drop."));
    }

    /** Waits, half a minute at most. */
    void await(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("waiting for %s; %s", what, log).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        supervisor.close();
        running.close();
    }
}
