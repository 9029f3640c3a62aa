package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a capture says that frames came and went, and how it numbers them. */
final class CaptureTimesTest {
    private static final long MS = 1_000_000;
    private static final long HOUR_NS = 3_600_000 * MS;

    /** What one half has shown. */
    private static final class Shown implements Tap {
        final List<Long> receivedNs = new ArrayList<>();
        final List<Long> transmittedNs = new ArrayList<>();
        final List<Long> droppedNs = new ArrayList<>();
        final List<Long> ids = new ArrayList<>();
        final List<Long> controlIds = new ArrayList<>();

        @Override
        public void received(int port, Frame frame, long cameNs) {
            receivedNs.add(cameNs);
            ids.add(frame.packetId);
        }

        @Override
        public void transmitted(int port, int queue, Frame frame, long offeredNs) {
            transmittedNs.add(offeredNs);
            boolean isData = frame.etherType == EtherType.IPV4;
            (isData ? ids : controlIds).add(frame.packetId);
        }

        @Override
        public void dropped(int port, DropReason reason, Frame frame, long atNs) {
            droppedNs.add(atNs);
        }
    }

    /** Two hosts, both heard, and a tap on each half. */
    private static final class Captured {
        final TestSwitch test;
        final List<Shown> in = new ArrayList<>();
        final List<Shown> out = new ArrayList<>();

        Captured(String keys) {
            test = lossless(2, keys);
            for (int host = 0; host < 2; host++) {
                test.hosts.get(host).inject(frame(host, 99, LOSSY, 0));
                test.run(20_000);
            }
            for (int port = 0; port < 2; port++) {
                in.add(new Shown());
                out.add(new Shown());
                test.engine.ingress(port).tap(in.get(port));
                test.engine.egress(port).tap(out.get(port));
            }
        }
    }

    @Test
    void nothingIsShownEarlierThanItCameThoughTheWorkerWasHeld() {
        Captured captured = new Captured("flow-control: none");
        TestSwitch test = captured.test;
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 1));
        test.hosts.get(0).inject(frame(0, 0, LOSSY, 2)); // to where it comes from: dropped
        test.settleHeld(5 * MS);
        assertThat(captured.in.get(0).receivedNs).containsExactly(test.nowNs, test.nowNs);
        assertThat(captured.in.get(0).droppedNs).containsExactly(test.nowNs);
        assertThat(captured.out.get(1).transmittedNs).containsExactly(test.nowNs);
        assertThat(captured.out.get(1).ids).containsExactly(captured.in.get(0).ids.getFirst());
    }

    @Test
    void aFrameDroppedInTheQueueIsShownWhenItIsDropped() {
        Captured captured = new Captured("flow-control: none, queue-limit: 2kB");
        TestSwitch test = captured.test;
        for (int i = 0; i < 3; i++) {
            test.hosts.get(0).inject(frame(0, 1, LOSSY, i));
        }
        test.settleHeld(5 * MS);
        assertThat(captured.out.get(1).droppedNs).isNotEmpty().containsOnly(test.nowNs);
    }

    // ---- a device that stamps

    /** A device that says of each frame, in turn, how old it is. */
    private static PortDevice stamping(PortDevice device, long... agesNs) {
        long[][] into = {null};
        int[] next = {0};
        return (PortDevice)
                Proxy.newProxyInstance(
                        PortDevice.class.getClassLoader(),
                        new Class<?>[] {PortDevice.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("showAges")) {
                                into[0] = (long[]) arguments[0];
                                return true;
                            }
                            Object answer = method.invoke(device, arguments);
                            if (method.getName().equals("receive") && into[0] != null) {
                                int count = (int) answer;
                                System.arraycopy(agesNs, next[0], into[0], 0, count);
                                next[0] += count;
                            }
                            return answer;
                        });
    }

    private static Captured stamped(long... agesNs) {
        Captured captured = new Captured("flow-control: none");
        TestSwitch test = captured.test;
        MemoryWire wire = new MemoryWire("stamped", 64, 9216);
        test.reattach(0, stamping(wire.device(0, test.engine.region()), agesNs));
        test.hosts.set(0, wire.farEnd(1));
        test.settle();
        test.nowNs += MS;
        return captured;
    }

    @Test
    void aReceivedFrameHasTheDevicesStampWhereThereIsOne() {
        Captured captured = stamped(900_000, 300_000, 1_000);
        TestSwitch test = captured.test;
        for (int i = 0; i < 3; i++) {
            test.hosts.get(0).inject(frame(0, 1, LOSSY, i));
        }
        test.settle();
        assertThat(captured.in.get(0).receivedNs)
                .containsExactly(test.nowNs - 900_000, test.nowNs - 300_000, test.nowNs - 1_000);
    }

    /** Of what a device holds when the capture begins, too, and whatever device comes later. */
    @Test
    void devicesAreAskedForStampsOnlyWhileACaptureIsOn() {
        Captured captured = stamped(10, 10);
        TestSwitch test = captured.test;
        test.engine.ingress(0).tap(null);
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 1));
        test.settle(); // would take an age if it were asked
        test.engine.ingress(0).tap(captured.in.get(0));
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 2));
        test.settle();
        assertThat(captured.in.get(0).receivedNs).containsExactly(test.nowNs - 10);
    }

    @Test
    void aStampFromBeforeTheDeviceWasEmptyOrFromTheFutureIsNoTime() {
        Captured captured = stamped(HOUR_NS, -HOUR_NS, HOUR_NS, HOUR_NS, 5);
        TestSwitch test = captured.test;
        long emptyNs = test.nowNs - MS;
        for (int i = 0; i < 3; i++) {
            test.hosts.get(0).inject(frame(0, 1, LOSSY, i));
        }
        test.settle();
        long firstNs = test.nowNs;
        assertThat(captured.in.get(0).receivedNs).containsExactly(emptyNs, firstNs, firstNs);
        test.nowNs += MS;
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 3));
        test.settle();
        test.nowNs += MS;
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 4));
        test.settle();
        assertThat(captured.in.get(0).receivedNs.subList(3, 5))
                .containsExactly(firstNs, test.nowNs - 5);
    }

    @Test
    void timesOfOneHalfNeverGoBackThoughWhatIsDroppedIsShownLater() {
        Captured captured = stamped(700_000, 600_000, 500_000, 400_000);
        TestSwitch test = captured.test;
        List<Long> inOrder = new ArrayList<>();
        test.engine
                .ingress(0)
                .tap(
                        new Tap() {
                            @Override
                            public void received(int port, Frame frame, long cameNs) {
                                inOrder.add(cameNs);
                            }

                            @Override
                            public void transmitted(
                                    int port, int queue, Frame frame, long offeredNs) {}

                            @Override
                            public void dropped(
                                    int port, DropReason reason, Frame frame, long atNs) {
                                inOrder.add(atNs);
                            }
                        });
        for (int batch = 0; batch < 2; batch++) {
            for (int i = 0; i < 2; i++) {
                test.hosts.get(0).inject(frame(0, 0, LOSSY, i));
            }
            test.settle();
            test.nowNs += 50_000;
        }
        assertThat(inOrder).hasSize(8).isSorted();
    }

    // ---- numbers

    @Test
    void linkControlThatTheSwitchMakesIsNumberedToo() {
        for (String keys : List.of("flow-control: credits", LosslessTraffic.PFC)) {
            Captured captured = new Captured(keys);
            TestSwitch test = captured.test;
            // With pauses: the other host says nothing can leave, so that this one is stopped, too.
            byte[] pause =
                    new PfcFrame(LosslessTraffic.SENDER, 8, List.of(0, 0, 0, 65_535, 0, 0, 0, 0))
                            .encode();
            for (int host = 0; host < 2; host++) {
                test.hosts.get(host).inject(pause);
                for (int i = 0; i < 45; i++) {
                    test.hosts.get(host).inject(frame(host, 1 - host, LOSSLESS, i));
                }
            }
            test.run(3_000_000);
            List<Long> control = new ArrayList<>();
            Set<Long> received = new HashSet<>();
            for (int port = 0; port < 2; port++) {
                assertThat(captured.out.get(port).controlIds).as(keys).isNotEmpty();
                control.addAll(captured.out.get(port).controlIds);
                received.addAll(captured.in.get(port).ids);
            }
            assertThat(control).as(keys).doesNotContain(0L).doesNotHaveDuplicates();
            assertThat(received).as(keys).doesNotContainAnyElementsOf(control);
        }
    }
}
