package io.headgate.dataplane.runner;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.device.DatagramTransport;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.FaultInjector;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PcapFileDevice;
import io.headgate.dataplane.device.PcapLiveDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.VxlanDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.afxdp.AfXdpDevice;
import io.headgate.dataplane.device.afxdp.XskUmem;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens what ports stand on, for one switch: its devices share a frame region, and an in-memory
 * pair is two ports that name it.
 */
public final class DeviceFactory {
    private static final int WIRE_FRAMES = 1024;
    private static final long NS_PER_MILLISECOND = 1_000_000;

    private final FrameRegion region;
    private final LongUnaryOperator presentTime;
    private final Map<String, MemoryWire> wires = new HashMap<>();
    private final Map<String, Integer> endsTaken = new HashMap<>();
    private @Nullable XskUmem umem;

    /**
     * @param region the switch's, in which frames are received
     */
    public DeviceFactory(FrameRegion region) {
        this(region, LongUnaryOperator.identity());
    }

    /** Of a switch that runs: its devices know what time it is when they are called late. */
    public DeviceFactory(RealTimeSwitch running) {
        this(running.engine().region(), _ -> running.nowNs());
    }

    private DeviceFactory(FrameRegion region, LongUnaryOperator presentTime) {
        this.region = region;
        this.presentTime = presentTime;
    }

    /**
     * Opens a port's device.
     *
     * @throws DeviceException with one sentence that says what is wrong and what mends it
     */
    public synchronized PortDevice open(PortConfig port) throws DeviceException {
        PortDevice device = openDevice(port);
        int deviceMtuBytes = device.info().maxFrameBytes() - Ethernet.HEADER_BYTES;
        int headerBytes = port.linkMtuBytes() - port.mtuBytes();
        if (deviceMtuBytes < port.linkMtuBytes()) {
            String name = device.info().name();
            device.close();
            throw new DeviceException(
                    ("%s carries payloads of at most %s bytes, and the port is to carry %s%s;"
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

    private PortDevice openDevice(PortConfig port) throws DeviceException {
        return switch (port.device()) {
            case DeviceConfig.Faulty d ->
                    new FaultInjector(
                            openDevice(port.withDevice(d.device())),
                            d.faults(),
                            port.name(),
                            presentTime);
            case DeviceConfig.Memory memory -> memory(memory.pair());
            case DeviceConfig.Virtual virtual ->
                    throw new DeviceException(
                            ("'virtual: %s' is a link of the virtual test bed, which only a run in"
                                            + " virtual time has; use another kind of device here")
                                    .formatted(virtual.link()));
            case DeviceConfig.AfPacket d ->
                    AfPacketDevice.open(d.netns(), d.interfaceName(), region, d.ringFrames());
            case DeviceConfig.AfXdp d -> AfXdpDevice.open(umem(), d);
            case DeviceConfig.Tap d ->
                    TapDevice.open(
                            d.netns(), d.interfaceName(), d.create(), port.linkMtuBytes(), region);
            case DeviceConfig.PcapLive d -> PcapLiveDevice.open(d, region);
            case DeviceConfig.PcapFile d ->
                    PcapFileDevice.open(d, region, System.currentTimeMillis() * NS_PER_MILLISECOND);
            case DeviceConfig.Vxlan d ->
                    VxlanDevice.open(d, port.linkMtuBytes(), region, DatagramTransport.Kind.AUTO);
        };
    }

    /** The wire of an in-memory pair, for whoever holds the end that no port takes. */
    public synchronized MemoryWire wire(String pair) {
        return wires.computeIfAbsent(
                pair, name -> new MemoryWire(name, WIRE_FRAMES, region.maxFrameBytes()));
    }

    private XskUmem umem() throws DeviceException {
        XskUmem shared = umem;
        if (shared == null) {
            shared = new XskUmem(region);
            umem = shared;
        }
        return shared;
    }

    private PortDevice memory(String pair) throws DeviceException {
        int end = endsTaken.merge(pair, 1, Integer::sum) - 1;
        if (end > 1) {
            throw new DeviceException(
                    "in-memory pair '" + pair + "' has two ends, and both are taken");
        }
        return wire(pair).device(end, region);
    }
}
