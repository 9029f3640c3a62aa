package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.domain.DomainSetup;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches that policies lay out, compared with a reference that does what they say. */
final class FabricTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final int STEPS = 700;

    /** A byte takes a nanosecond. */
    private static final long RATE_BPS = 8_000_000_000L;

    private static final long PS_PER_BYTE = 1_000;
    private static final int ALL = Binding.ALL;

    /** All that a policy may have at several ports, for a switch of two. */
    private static final String EVERYTHING =
            """
            import "standard.oq"
            V = 6000; C = 2500; O = 4000;
            voq11a = Queue(V); voq11b = Queue(V); voq12a = Queue(V); voq12b = Queue(V);
            voq21a = Queue(V); voq21b = Queue(V); voq22a = Queue(V); voq22b = Queue(V);
            voq11a.procPrio = fifo; voq11b.procPrio = srpt; voq12a.procPrio = rfifo;
            voq12b.procPrio = fifo; voq21a.procPrio = fifo; voq21b.procPrio = most_valuable;
            voq22a.procPrio = big; voq22b.procPrio = fifo;
            big(a, b) = a.size > b.size || a.value > b.value && a.size == b.size
            voq11a.congestion = tailDrop; voq12b.congestion = early; voq21a.congestion = tailDrop;
            voq21b.admPrio = most_valuable; voq21b.congestion = tailDrop;
            voq22b.postAdmAct = told;
            early(q) = (q.currSize > 0.5 * q.size, drop(0.4).notify).(q.currSize > 1000, mark)
            told(q) = (Port.currQueue == q.buffer.currQueue, mark.modify(Port.schedState := q.total))
            i1 = Buffer(12000, voq11a, voq11b, voq12a, voq12b, voq22b);
            i1.queuePrio = shorter; shorter(a, b) = a.currSize < b.currSize
            i1.congestion = tailDrop;
            in1 = Port(150%, voq11a, voq11b, voq12a, voq12b);
            in2 = Port(100%, voq21a, voq21b, voq22a, voq22b);
            in1.schedPrio = heads; in2.schedPrio = crr; in2.postSchedAct = round_robin;
            heads(a, b) = a.getHOL().arrival < b.getHOL().arrival
            cq11 = Queue(C); cq12 = Queue(C); cq21a = Queue(C); cq21b = Queue(C); cq22 = Queue(C);
            cq11.procPrio = fifo; cq12.procPrio = fifo; cq21a.procPrio = fifo;
            cq21b.procPrio = fifo; cq22.procPrio = srpt; cq22.congestion = early;
            cp11 = Port(cq11); cp12 = Port(80%, cq12); cp21 = Port(cq21a, cq21b); cp22 = Port(cq22);
            cp21.schedPrio = lqf;
            oq1 = Queue(O); oq2a = Queue(O); oq2b = Queue(O);
            oq1.procPrio = fifo; oq2a.procPrio = most_valuable; oq2b.procPrio = fifo;
            oq2b.congestion = early;
            last = Buffer(5000, oq1, oq2a);
            last.congestion = tailDrop; last.queuePrio = shorter;
            out1 = Port(oq1); out2 = Port(oq2a, oq2b);
            out2.schedPrio = sqf; out2.postSchedAct = fair;
            fair(q) = (true, modify(q.schedState := q.schedState + Packet.size))
            """;

    private static Policy policy(String name) throws PolicyException {
        return name.equals("everything")
                ? Policies.of(EVERYTHING)
                : Policy.of(
                        Policies.source(Policies.FOLDER.resolve(Path.of(name))), Policies.LIBRARY);
    }

    static DomainSetup setup(int ports) {
        PortConfig port =
                ConfigDefaults.port("p", new DeviceConfig.Memory("m")).withRateBps(RATE_BPS);
        return new DomainSetup(
                Collections.nCopies(ports + 1, port),
                Collections.nCopies(ports + 1, WireFormat.BARE),
                0);
    }

    private static final class Bench {
        final int ports;
        final Fabric fabric;
        final ReferenceFabric reference;
        final int[] carries;
        final List<Queues> egresses = new ArrayList<>();
        final List<Pacer> pacers = new ArrayList<>();

        Bench(Policy policy, int ports, boolean packets) {
            this.ports = ports;
            Binding binding = Binding.standard(1, false).countingPackets(packets);
            fabric = new Fabric(policy, binding, SEED, setup(ports));
            PolicyPlan plan = FabricLayout.of(policy, ports).plan(binding);
            carries = plan.binding().carries().stream().mapToInt(Integer::intValue).toArray();
            reference =
                    new ReferenceFabric(
                            policy,
                            plan.binding(),
                            NamedRandom.of(SEED, "fabric", "policy"),
                            ports,
                            PS_PER_BYTE);
            for (int port = 0; port < ports; port++) {
                egresses.add(fabric.queues(port, setup(ports).ports().get(port), null));
                pacers.add(new Pacer(RATE_BPS, 0, WireFormat.BARE));
            }
        }

        int frames() {
            return egresses.stream().mapToInt(Queues::frames).sum();
        }

        void lostAre(int egress) {
            List<Frame> lost = new ArrayList<>();
            for (Frame f = egresses.get(egress).alsoLost();
                    f != null;
                    f = egresses.get(egress).alsoLost()) {
                lost.add(f);
            }
            assertThat(lost).isEqualTo(reference.lost(egress));
        }

        void comes(Frame frame, int egress, long nowNs) {
            Queues queues = egresses.get(egress);
            assertThat(queues.enqueue(new Frame[] {frame}, 0, 1)).isZero();
            Frame first = queues.enqueue(frame);
            assertThat(first != frame).isEqualTo(reference.come(frame, egress, nowNs));
            List<Frame> lost = new ArrayList<>();
            for (Frame f = first == frame ? null : first; f != null; f = queues.alsoLost()) {
                lost.add(f);
            }
            assertThat(lost).isEqualTo(first == frame ? List.of() : reference.lost(egress));
        }

        int starts(int egress, int eligible, long nowNs) {
            Queues queues = egresses.get(egress);
            Pacer pacer = pacers.get(egress);
            queues.eligible(eligible);
            pacer.resume(nowNs, nowNs);
            boolean isFree = pacer.mayStart(nowNs);
            Frame[] started = new Frame[1];
            int count = queues.dequeue(nowNs, pacer, started, 0, Gate.OPEN);
            if (!isFree) {
                assertThat(count).isZero();
                reference.move(nowNs);
                return 0;
            }
            Frame expected = reference.dequeue(egress, eligible, carries, nowNs);
            assertThat(count == 0 ? null : started[0]).isSameAs(expected);
            return count;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listings/figure-2.13.oq",
                "buffered-crossbar-4.oq",
                "virtual-output-4.oq",
                "shared-lqd-4.oq",
                "everything"
            })
    void movesDropsAndSchedulesAsTheReferenceDoes(String name) throws PolicyException {
        Policy policy = policy(name);
        int ports = name.equals("everything") ? 2 : name.startsWith("listings") ? 3 : 4;
        for (boolean packets : new boolean[] {false, true}) {
            compare(new Bench(policy, ports, packets));
        }
    }

    private static void compare(Bench bench) {
        Random random = new Random(SEED);
        PacketMaker maker = new PacketMaker(STEPS * bench.ports);
        long nowNs = 0;
        int came = 0;
        int left = 0;
        for (int step = 0; step < STEPS; step++) {
            // Some time more than the outputs carry, some time less.
            int chance = step / 200 % 2 == 0 ? 80 : 25;
            nowNs += random.nextInt(800);
            bench.fabric.begin(nowNs);
            bench.reference.move(nowNs);
            for (int egress = 0; egress < bench.ports; egress++) {
                bench.lostAre(egress);
                if (random.nextInt(100) < chance) {
                    Frame frame = maker.frame(random);
                    frame.ingressPort = random.nextInt(bench.ports);
                    bench.comes(frame, egress, nowNs);
                    came++;
                }
                int eligible = random.nextInt(6) > 0 ? ALL : random.nextInt(256);
                left += bench.starts(egress, eligible, nowNs);
            }
            assertThat(bench.frames()).as("at step %d", step).isEqualTo(bench.reference.held());
        }
        assertThat(left).isGreaterThan(came / 4);
        for (Queues queues : bench.egresses) {
            while (queues.drain() != null) {
                left++;
            }
            assertThat(queues.isEmpty()).isTrue();
            assertThat(queues.bytes()).isZero();
            assertThat(queues.occupied()).isZero();
        }
    }

    /**
     * The owner of the queues is called when it is worth asking: all frames leave by such calls.
     */
    @Test
    void isCalledWhenAPacketMayGoOn() throws PolicyException {
        Bench bench = new Bench(policy("buffered-crossbar-4.oq"), 4, false);
        PacketMaker maker = new PacketMaker(400);
        Random random = new Random(SEED);
        bench.fabric.begin(0);
        for (int i = 0; i < 400; i++) {
            Frame frame = maker.frame(random);
            frame.ingressPort = random.nextInt(4);
            assertThat(bench.egresses.get(random.nextInt(4)).enqueue(frame)).isNull();
        }
        long nowNs = 0;
        int calls = 0;
        int left = 0;
        Frame[] started = new Frame[4];
        while (left < 400 && calls++ < 5_000) {
            long next = Long.MAX_VALUE;
            bench.fabric.begin(nowNs);
            for (int egress = 0; egress < 4; egress++) {
                Pacer pacer = bench.pacers.get(egress);
                pacer.resume(nowNs, nowNs);
                left += bench.egresses.get(egress).dequeue(nowNs, pacer, started);
                // As an egress half does: if its wire is free, it is the fabric's to say.
                if (!bench.egresses.get(egress).isEmpty() && !pacer.mayStart(nowNs)) {
                    next = Math.min(next, pacer.nextStartNs());
                }
            }
            nowNs = Math.min(next, bench.fabric.deadlineNs());
        }
        assertThat(left).isEqualTo(400);
    }

    @Test
    void packetsOfAFlowLeaveInOrderAndAreFoundInIt() throws PolicyException {
        Bench bench = new Bench(policy("buffered-crossbar-4.oq"), 4, false);
        PacketMaker maker = new PacketMaker(60);
        Random random = new Random(SEED);
        bench.fabric.begin(0);
        List<Frame> sent = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Frame frame = maker.frame(random);
            frame.ingressPort = i % 4;
            frame.priority = 3;
            sent.add(frame);
            assertThat(bench.egresses.get(1).enqueue(frame)).isNull();
        }
        Queues queues = bench.egresses.get(1);
        bench.starts(0, ALL, 0);
        Frame[] waiting = queues.waiting(3);
        assertThat(waiting).hasSize(60);
        for (int input = 0; input < 4; input++) {
            int own = input;
            assertThat(List.of(waiting).stream().filter(f -> f.ingressPort == own))
                    .containsExactlyElementsOf(
                            sent.stream().filter(f -> f.ingressPort == own).toList());
        }
        assertThat(queues.extract(3, frame -> frame.ingressPort == 2)).isSameAs(sent.get(2));
        assertThat(queues.frames(3)).isEqualTo(59);
        assertThat(queues.head(3)).isNotNull();
        assertThat(queues.extract(2, frame -> true)).isNull();
    }

    /** Who sorts what was drained by arrival finds the packets of a flow in their order. */
    @Test
    void packetsOfAFlowAreDrainedAndNumberedInOrder() throws PolicyException {
        Bench bench = new Bench(policy("virtual-output-4.oq"), 4, false);
        PacketMaker maker = new PacketMaker(12);
        Random random = new Random(SEED);
        Queues queues = bench.egresses.get(1);
        List<Frame> sent = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            // The first ones wait at the output already, and have come there after others came.
            bench.fabric.begin(i < 8 ? 0 : 20_000);
            Frame frame = maker.frame(random);
            frame.ingressPort = 0;
            sent.add(frame);
            assertThat(queues.enqueue(frame)).isNull();
        }
        List<Frame> drained = new ArrayList<>();
        for (Frame f = queues.drain(); f != null; f = queues.drain()) {
            drained.add(f);
        }
        assertThat(drained).containsExactlyElementsOf(sent);
        drained.sort(Comparator.comparingLong(frame -> frame.arrival));
        assertThat(drained).containsExactlyElementsOf(sent);
    }

    @Test
    void saysWhyAPolicyDoesNotFit() throws PolicyException {
        Policy policy = policy("buffered-crossbar-4.oq");
        assertThatThrownBy(() -> new Bench(policy, 3, false))
                .hasMessageContaining("declares 24 ports; for a switch of 3 ports it declares 3");
        assertThat(FabricLayout.of(policy).switchPorts()).isEqualTo(4);
        assertThat(FabricLayout.of(policy("listings/figure-2.13.oq")).switchPorts()).isEqualTo(3);
        Policy selecting = Policies.of(EVERYTHING + "out2.queueSelect = which; which(p) = p.id");
        assertThatThrownBy(() -> new Bench(selecting, 2, false))
                .hasMessageContaining("port out2 has queueSelect");
        assertThat(IntStream.range(0, 3).map(p -> FabricLayout.of(policy).inputOf(p)))
                .containsExactly(0, 1, 2);
    }
}
