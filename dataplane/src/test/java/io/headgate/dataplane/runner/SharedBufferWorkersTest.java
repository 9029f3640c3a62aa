package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.MemoryWire;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A buffer that ports on several workers share: what a half knows of the others is a burst old. */
@Tag("threads")
class SharedBufferWorkersTest {
    private static final int PORTS = 3;
    private static final int FRAME_BYTES = 1000;
    private static final int BURST = 64;
    private static final long SHARED_BYTES = 2_000_000;
    private static final long MAC = 0x0200_0000_0000L;

    private static SwitchConfig config() {
        StringBuilder yaml =
                new StringBuilder(
                        """
                        name: s1
                        workers: {layout: per-half}
                        memory: {shared: 2MB, slots-per-port: 8192}
                        defaults: {queue-limit: 10MB, account-cap: 16MB, account-cap-slots: 900,
                                   flow-control: pfc, buffers: {alpha: 1/2}}
                        bridge:
                          static:
                        """);
        for (int port = 0; port < PORTS; port++) {
            yaml.append("    - {mac: \"02:00:00:00:00:0").append(port).append("\", port: out");
            yaml.append(port).append("}\n");
        }
        yaml.append("ports:\n");
        for (int port = 0; port < PORTS; port++) {
            yaml.append("  - {name: in").append(port).append(", device: {memory: w");
            yaml.append(port).append("}}\n");
        }
        for (int port = 0; port < PORTS; port++) {
            yaml.append("  - {name: out").append(port).append(", rate: 1Mbps, device: {memory: w");
            yaml.append(port).append("}}\n");
        }
        return SwitchConfigReader.read(yaml.toString(), "test");
    }

    private static byte[] frame(int to) {
        byte[] frame = new byte[FRAME_BYTES];
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        bytes.putShort((short) ((MAC + to) >> 32)).putInt((int) (MAC + to));
        bytes.putShort((short) 0x0200).putInt(0x0100 + to).putShort((short) 0x9999);
        return frame;
    }

    @Test
    void eachHoldsItsShareWithinABurst() throws Exception {
        try (RealTimeSwitch running =
                new RealTimeSwitch(
                        config(),
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        (duty, failure) -> {})) {
            running.start();
            List<MemoryWire.FarEnd> hosts = new ArrayList<>();
            for (int port = 0; port < 2 * PORTS; port++) {
                MemoryWire wire = new MemoryWire("w" + port, 4096, 2048);
                hosts.add(wire.farEnd(1));
                running.attach(port, wire.device(0, running.engine().region()));
            }
            for (int i = 0; i < 1_500; i++) {
                for (int port = 0; port < PORTS; port++) {
                    while (!hosts.get(port).inject(frame(port))) {
                        Thread.onSpinWait();
                    }
                }
                if (i % 4 == 0) {
                    Thread.sleep(1);
                }
            }
            long endNs = System.nanoTime() + 20_000_000_000L;
            while (received(running) < 1_500L * PORTS) {
                assertThat(System.nanoTime() - endNs).as("waited 20 s").isNegative();
                Thread.sleep(1);
            }
            double share = 0.5 * SHARED_BYTES / (1 + PORTS * 0.5);
            for (int port = 0; port < PORTS; port++) {
                double held = value(running, port, IngressCounter.OCCUPANCY_BYTES);
                assertThat(held)
                        .as("port %d", port)
                        .isBetween(share - BURST * FRAME_BYTES, share + BURST * FRAME_BYTES);
            }
        }
    }

    private static long received(RealTimeSwitch running) {
        long sum = 0;
        for (int port = 0; port < PORTS; port++) {
            sum += value(running, port, IngressCounter.FRAMES_RECEIVED);
        }
        return sum;
    }

    private static long value(RealTimeSwitch running, int port, IngressCounter id) {
        CounterDirectory counters = running.engine().counters();
        return counters.entries().stream()
                .filter(entry ->
                        entry.scope() == CounterDirectory.Scope.INGRESS
                                && entry.owner().equals("in" + port)
                                && entry.label().equals(id.text().label()))
                .mapToLong(counters::value)
                .findFirst()
                .orElseThrow();
    }
}
