package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceConfig.XdpMode;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PcapLiveDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.WholeFrame;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.afxdp.AfXdpDevice;
import io.headgate.dataplane.device.afxdp.XskUmem;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel refuses or drops before a switch could receive it, under its name. */
@Tag("netns")
class KernelDropsTest {
    private static final long WAIT_NS = 60_000_000_000L;

    /** Makes a TAP interface, and writes a frame into it for each line it reads. */
    private static final String TAP_WRITER =
            """
            import fcntl, struct, sys
            tap = open('/dev/net/tun', 'r+b', buffering=0)
            fcntl.ioctl(tap, 0x400454ca, struct.pack('16sH', b't0', 0x1002))
            print('made', flush=True)
            for line in sys.stdin:
                try:
                    tap.write(bytes(60))
                    print('taken', flush=True)
                except OSError as refused:
                    print(refused, flush=True)
            """;

    /** Sends one frame of the length given out of v1. */
    private static final String SENDER =
            """
            import socket, sys
            out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            out.bind(('v1', 0))
            out.send(bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 0x88, 0xb5])
                     + bytes(int(sys.argv[1]) - 14))
            """;

    /**
     * Sends out of v1: 12 frames that no protocol takes, 5 that one does, 3 longer than the MTU.
     */
    private static final String TAGGED_SENDER =
            """
            import socket
            out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            out.bind(('v1', 0))
            to = bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1])
            for _ in range(6):
                out.send(to + bytes.fromhex('81000005' '81000006' '0800') + bytes(60))
                out.send(to + bytes.fromhex('81000005' '1234') + bytes(60))
            for _ in range(3):
                out.send(to + bytes.fromhex('81000005' '0800') + bytes(60))
                try:
                    out.send(to + bytes.fromhex('88b5') + bytes(2000))
                except OSError:
                    pass  # a veth tells its sender
            for _ in range(2):
                out.send(to + bytes.fromhex('1234') + bytes(60))
            """;

    /** Sends frames that no protocol takes out of v1 until it is ended. */
    private static final String UNKNOWN_SENDER =
            """
            import socket, time
            out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            out.bind(('v1', 0))
            sent = 0
            while True:
                out.send(bytes([2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 0x88, 0xb5]) + bytes(60))
                sent += 1
                if sent == 10:
                    print('sending', flush=True)
                time.sleep(1e-4)
            """;

    /** Such as the greetings of a neighbour with credits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatCameBeforeTheDeviceWasOpenAreNoLoss(boolean whole)
            throws DeviceException, IOException {
        try (TestNetwork network = new TestNetwork()) {
            String switchSide = network.namespace("s");
            String hostSide = network.namespace("h");
            network.veth(switchSide, "v0", hostSide, "v1", 1500);
            Process sender =
                    network.start(hostSide, TestNetwork.PYTHON, "-u", "-c", UNKNOWN_SENDER);
            try (BufferedReader answers = sender.inputReader(UTF_8)) {
                assertThat(answers.readLine()).isEqualTo("sending");
                FrameRegion region = whole ? WholeFrame.region(256) : new FrameRegion(256, 2048);
                FreeList free = slots(region);
                try (PortDevice device =
                        whole
                                ? AfPacketDevice.openForSegments(switchSide, "v0", region, 4096)
                                : AfPacketDevice.open(switchSide, "v0", region, 4096)) {
                    DropTotals totals = new DropTotals();
                    Frame[] batch = new Frame[64];
                    int received = 0;
                    long start = System.nanoTime();
                    while (received < 200 && System.nanoTime() - start < WAIT_NS) {
                        int taken = device.receive(System.nanoTime(), free, batch, 64);
                        for (int i = 0; i < taken; i++) {
                            free.put(batch[i]);
                        }
                        received += taken;
                        totals.clear();
                        device.readReceiveDrops(totals);
                    }
                    assertThat(received).isGreaterThanOrEqualTo(200);
                    assertThat(totals.get(DropReason.KERNEL_RX_INTERFACE)).isZero();
                }
            } finally {
                sender.destroy();
            }
        }
    }

    @Test
    void framesThatOutgrewAnAfXdpSlotAreInvalid() throws DeviceException {
        try (TestNetwork network = new TestNetwork()) {
            String switchSide = network.namespace("s");
            String hostSide = network.namespace("h");
            network.veth(switchSide, "v0", hostSide, "v1", 1500);
            network.exec(
                    hostSide,
                    "ethtool",
                    "-K",
                    "v1",
                    "txvlan",
                    "off",
                    "tx-vlan-stag-hw-insert",
                    "off");
            FrameRegion region = new FrameRegion(256, 2048);
            DeviceConfig.AfXdp config =
                    new DeviceConfig.AfXdp(
                            "v0",
                            switchSide,
                            0,
                            XdpMode.GENERIC,
                            DeviceConfig.XdpTransmit.COPY,
                            64);
            try (AfXdpDevice device =
                    AfXdpDevice.open(new XskUmem(region), config, DeviceSetup.UNKNOWN_WORKER)) {
                device.receive(0, slots(region), new Frame[64], 64);
                // Refused at opening; afterwards the device is not asked again.
                network.exec(switchSide, "ip", "link", "set", "v0", "mtu", "3000");
                network.exec(hostSide, "ip", "link", "set", "v1", "mtu", "3000");
                network.exec(hostSide, TestNetwork.PYTHON, "-c", SENDER, "2000");
                assertThat(dropsOf(device, DropReason.KERNEL_RX_INVALID)).isEqualTo(1);
            }
        }
    }

    @Test
    void framesThatTheInterfaceDropsAreCounted() throws DeviceException, IOException {
        try (TestNetwork network = new TestNetwork()) {
            String netns = network.namespace("s");
            Process writer = network.start(netns, TestNetwork.PYTHON, "-u", "-c", TAP_WRITER);
            try (BufferedReader answers = writer.inputReader(UTF_8)) {
                assertThat(answers.readLine()).isEqualTo("made");
                network.offloadsOff(netns, "t0");
                network.exec(netns, "ip", "link", "set", "t0", "up");
                FrameRegion region = new FrameRegion(256, 2048);
                try (AfPacketDevice device = AfPacketDevice.open(netns, "t0", region, 64)) {
                    network.exec(netns, "ip", "link", "set", "t0", "down");
                    writer.getOutputStream().write('\n');
                    writer.getOutputStream().flush();
                    assertThat(answers.readLine()).contains("Input/output error");
                    assertThat(dropsOf(device, DropReason.KERNEL_RX_INTERFACE)).isEqualTo(1);
                }
            } finally {
                writer.destroy();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "pcap"})
    void whatTheKernelCountsAndTheSwitchHasReceivedIsNoLoss(String kind) throws DeviceException {
        try (TestNetwork network = new TestNetwork()) {
            String switchSide = network.namespace("s");
            String hostSide = network.namespace("h");
            network.veth(switchSide, "v0", hostSide, "v1", 1500);
            network.exec(hostSide, "ip", "link", "set", "v1", "mtu", "3000");
            FrameRegion region = new FrameRegion(256, 2048);
            try (PortDevice device =
                    kind.equals("pcap")
                            ? PcapLiveDevice.open(
                                    new DeviceConfig.PcapLive("v0", switchSide), region)
                            : AfPacketDevice.open(switchSide, "v0", region, 64)) {
                network.exec(hostSide, TestNetwork.PYTHON, "-c", TAGGED_SENDER);
                DropTotals totals = new DropTotals();
                FreeList free = slots(region);
                int received = 0;
                long start = System.nanoTime();
                while ((totals.unhandled() < 12
                                || received < 17
                                || totals.get(DropReason.KERNEL_RX_INTERFACE) < 3)
                        && System.nanoTime() - start < WAIT_NS) {
                    int taken = device.receive(System.nanoTime(), free, new Frame[64], 64);
                    received += taken;
                    totals.clear();
                    device.readReceiveDrops(totals);
                    assertThat(totals.get(DropReason.KERNEL_RX_INTERFACE)).isLessThanOrEqualTo(3);
                }
                assertThat(received).as("all but those longer than the MTU").isEqualTo(17);
                assertThat(totals.unhandled()).as("kernel.unhandled").isEqualTo(12);
                assertThat(totals.get(DropReason.KERNEL_RX_INTERFACE)).isEqualTo(3);
            }
        }
    }

    private static FreeList slots(FrameRegion region) {
        FreeList free = new FreeList(region.slots(), false);
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
        return free;
    }

    private static long dropsOf(PortDevice device, DropReason reason) {
        long start = System.nanoTime();
        DropTotals totals = new DropTotals();
        do {
            totals.clear();
            device.readReceiveDrops(totals);
        } while (totals.get(reason) == 0 && System.nanoTime() - start < WAIT_NS);
        return totals.get(reason);
    }
}
