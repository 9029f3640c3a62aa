package io.headgate.dataplane.runner;

import io.headgate.config.DeviceConfig;
import io.headgate.config.Devices;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.FaultInjector;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.MemoryWires;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.SegmentCutter;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Opens the devices of one switch's ports. All devices share a frame region, and those of a kind
 * share resources such as in-memory wires.
 */
public final class DeviceFactory {
    private final FrameRegion region;
    private final LongSupplier clock;
    private final ToIntFunction<String> workers;
    private final Map<Class<?>, Object> shared = new HashMap<>();

    /**
     * Creates a factory whose devices may have no faults.
     *
     * @param region the switch's region, in which frames are received
     */
    public DeviceFactory(FrameRegion region) {
        this(
                region,
                () -> {
                    throw new IllegalStateException("faults need the clock of a running switch");
                },
                _ -> DeviceSetup.UNKNOWN_WORKER);
    }

    /** Creates a factory for a running switch; devices with faults use its clock. */
    public DeviceFactory(RealTimeSwitch running) {
        this(running.engine().region(), running::nowNs, port -> worker(running, port));
    }

    private DeviceFactory(FrameRegion region, LongSupplier clock, ToIntFunction<String> workers) {
        this.region = region;
        this.clock = clock;
        this.workers = workers;
    }

    private static int worker(RealTimeSwitch running, String port) {
        List<PortConfig> ports = running.engine().config().ports();
        int number = 0;
        while (!ports.get(number).name().equals(port)) {
            number++;
        }
        return running.plan().workerOfDuty().get(running.engine().numbers().egress(number));
    }

    /**
     * Opens a port's device.
     *
     * @throws DeviceException with one sentence that names the problem and its fix
     */
    public synchronized PortDevice open(PortConfig port) throws DeviceException {
        PortDevice device = taking(openDevice(port));
        int deviceMtuBytes = device.info().maxFrameBytes() - Ethernet.HEADER_BYTES;
        int headerBytes = port.linkMtuBytes() - port.mtuBytes();
        if (deviceMtuBytes < port.linkMtuBytes()) {
            String name = device.info().name();
            device.close();
            throw new DeviceException(
                    ("%s carries payloads of at most %s bytes, the port up to %s%s;"
                                    + " raise the MTU of the interface, or set 'mtu' of the port to %s at most")
                            .formatted(
                                    name,
                                    deviceMtuBytes,
                                    port.mtuBytes(),
                                    headerBytes > 0
                                            ? ", and %d more for what its mechanisms add"
                                                    .formatted(headerBytes)
                                            : "",
                                    deviceMtuBytes - headerBytes));
        }
        return device;
    }

    /**
     * Makes a device accept every frame that the slots of the switch may hold: another port's
     * device may deliver such frames while this one is open.
     */
    private PortDevice taking(PortDevice device) throws DeviceException {
        if (region.slotBytes() != MemoryConfig.WHOLE_SLOT_BYTES || device.takesSegments()) {
            return device;
        }
        if (!device.transmitCopies()) {
            DeviceInfo info = device.info();
            device.close();
            throw new DeviceException(
                    ("%s keeps the frames that it is handed, and so takes no TCP segments that are"
                                    + " cut for it; use slots below 68KiB, without gso: pass, or"
                                    + " another device than %s")
                            .formatted(info.name(), info.kind()));
        }
        return new SegmentCutter(device);
    }

    private PortDevice openDevice(PortConfig port) throws DeviceException {
        if (port.device() instanceof DeviceConfig.Faulty faulty) {
            return new FaultInjector(
                    openDevice(port.withDevice(faulty.device())),
                    faulty.faults(),
                    port.name(),
                    region.slotBytes(),
                    clock);
        }
        if (Devices.of(port.device()) instanceof PortDeviceKind<?> kind) {
            return open(kind, port);
        }
        throw new DeviceException(
                "a device '%s' cannot be opened: nothing on the class path says how"
                        .formatted(Devices.name(port.device())));
    }

    private <C extends Record & DeviceConfig> PortDevice open(
            PortDeviceKind<C> kind, PortConfig port) throws DeviceException {
        return kind.open(kind.configuration().cast(port.device()), new Setup(port));
    }

    private final class Setup implements DeviceSetup {
        private final PortConfig port;

        Setup(PortConfig port) {
            this.port = port;
        }

        @Override
        public String port() {
            return port.name();
        }

        @Override
        public int mtuBytes() {
            return port.linkMtuBytes();
        }

        @Override
        public int worker() {
            return workers.applyAsInt(port.name());
        }

        @Override
        public FrameRegion region() {
            return region;
        }

        @Override
        public <T> T shared(Class<T> type, Maker<T> maker) throws DeviceException {
            Object made = shared.get(type);
            if (made == null) {
                made = maker.make();
                shared.put(type, made);
            }
            return type.cast(made);
        }
    }

    /** The wire of an in-memory pair, for code that uses the end that no port has. */
    public synchronized MemoryWire wire(String pair) {
        Object wires = shared.computeIfAbsent(MemoryWires.class, _ -> new MemoryWires(region));
        return ((MemoryWires) wires).wire(pair);
    }
}
