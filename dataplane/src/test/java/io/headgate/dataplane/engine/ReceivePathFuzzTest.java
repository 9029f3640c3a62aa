package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hostile frames through the whole receive path in memory. */
class ReceivePathFuzzTest {
    private static final long FRAMES = 10_000_000;
    private static final long SEED = 0x5EED;

    @Test
    void tenMillionHostileFramesAreForwardedOrDroppedForAReasonAndLeaveNothingBehind() {
        VlanConfig trunk = new VlanConfig(VlanConfig.Mode.TRUNK, 1, List.of(1, 2, 3));
        List<PortConfig> ports =
                List.of(
                        TestSwitch.port("a", VlanConfig.DEFAULT),
                        TestSwitch.port("b", new VlanConfig(VlanConfig.Mode.ACCESS, 2, List.of())),
                        TestSwitch.port("c", trunk),
                        TestSwitch.port("d", trunk));
        TestSwitch s =
                new TestSwitch(
                        TestSwitch.bridge(ports, 1_000_000_000), WorkerPlan.single(4), 1_000_000);
        HostileDevice[] devices = new HostileDevice[ports.size()];
        for (int port = 0; port < devices.length; port++) {
            devices[port] = new HostileDevice(s.engine.region(), SEED + port);
            s.engine.ingress(port).detach();
            s.engine.egress(port).detach(0);
            s.engine.ingress(port).attach(devices[port]);
            s.engine.egress(port).attach(devices[port]);
        }
        long received = 0;
        while (received < FRAMES) {
            s.nowNs += 100_000;
            for (Duty duty : s.engine.duties()) {
                duty.doWork(s.nowNs);
            }
            received = 0;
            for (HostileDevice device : devices) {
                received += device.received;
            }
        }
        for (HostileDevice device : devices) {
            device.quiet = true;
        }
        s.run(50_000_000);
        s.assertAtRest();
        long transmitted = 0;
        for (HostileDevice device : devices) {
            transmitted += device.transmitted;
        }
        assertThat(received + s.total("frames.copied"))
                .as("seed %d", SEED)
                .isEqualTo(transmitted + s.totalDrops());
        assertThat(transmitted).isGreaterThan(FRAMES / 10);
        for (Entry entry : s.engine.counters().entries()) {
            assertThat(s.engine.counters().value(entry)).as(entry.label()).isNotNegative();
        }
    }

    /**
     * Makes frames up: sound ones with random parts overwritten, and plain garbage of any length.
     */
    private static final class HostileDevice implements PortDevice {
        private final MemorySegment region;
        private final int maxBytes;
        private long state;
        long received;
        long transmitted;
        boolean quiet;

        HostileDevice(FrameRegion region, long seed) {
            this.region = region.segment();
            this.maxBytes = region.maxFrameBytes();
            this.state = seed;
        }

        private long next() {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return state;
        }

        @Override
        public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
            int count = 0;
            while (!quiet && count < limit) {
                Frame frame = free.take();
                if (frame == null) {
                    break;
                }
                fill(frame);
                batch[count++] = frame;
            }
            received += count;
            return count;
        }

        private void fill(Frame frame) {
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            long choice = next();
            int length =
                    (choice & 7) == 0
                            ? (int) ((choice >>> 8) % (maxBytes + 1) & Integer.MAX_VALUE)
                            : 14 + (int) ((choice >>> 8) & 63);
            frame.lengthBytes = Math.min(length, maxBytes);
            frame.storedBytes = frame.lengthBytes;
            int words = Math.min(frame.lengthBytes, 80) / 8;
            for (int i = 0; i < words; i++) {
                region.set(ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 8L * i, next());
            }
            if (frame.lengthBytes >= 40 && (choice & 0x30) != 0) {
                makePlausible(frame.dataOffset, next());
            }
        }

        private void makePlausible(long at, long bits) {
            byte group = (byte) ((bits & 15) == 0 ? 1 : 2);
            region.set(ValueLayout.JAVA_INT_UNALIGNED, at, 0);
            region.set(ValueLayout.JAVA_BYTE, at, group);
            region.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + 4, (short) (bits >>> 8 & 7));
            region.set(ValueLayout.JAVA_INT_UNALIGNED, at + 6, 2);
            region.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + 10, (short) (bits >>> 16 & 7));
            long type = at + 12;
            for (long tags = bits >>> 24 & 3; tags > 0; tags--) {
                region.set(ValueLayout.JAVA_SHORT_UNALIGNED, type, (short) 0x0081);
                region.set(ValueLayout.JAVA_BYTE, type + 2, (byte) 0);
                region.set(ValueLayout.JAVA_BYTE, type + 3, (byte) (bits >>> 32 & 3));
                type += 4;
            }
            if ((bits >>> 40 & 1) != 0) {
                boolean v6 = (bits >>> 41 & 1) != 0;
                region.set(ValueLayout.JAVA_SHORT_UNALIGNED, type, (short) (v6 ? 0xDD86 : 0x0008));
                region.set(ValueLayout.JAVA_BYTE, type + 2, (byte) (v6 ? 0x60 : 0x45));
            }
        }

        @Override
        public int transmit(Frame[] batch, int from, int count) {
            transmitted += count;
            return count;
        }

        @Override
        public DeviceInfo info() {
            return new DeviceInfo("memory", "hostile", 0, maxBytes, "test", true);
        }

        @Override
        public boolean transmitCopies() {
            return true;
        }

        @Override
        public int completed(Frame[] into, int limit) {
            return 0;
        }

        @Override
        public boolean isUp() {
            return true;
        }

        @Override
        public void readReceiveDrops(DropTotals totals) {}

        @Override
        public void readTransmitDrops(DropTotals totals) {}

        @Override
        public int receiveFd() {
            return POLLED;
        }

        @Override
        public boolean armReceive() {
            return !quiet;
        }

        @Override
        public void close() {}
    }
}
