package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rate.HostNotices;
import io.headgate.hostagent.rate.RateControls;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client and a server on cards of their own; the test is the wire, and the clock. */
abstract class RdmaHosts {
    static final long RATE_BPS = 10_000_000_000L;
    static final int CLIENT_IP = 0x0A00_0001;
    static final int SERVER_IP = 0x0A00_0002;
    static final int MTU = 256;
    static final long TIMEOUT_NS = 200_000;
    static final long STEP_NS = 500;
    static final int BTH = 14 + 20 + 8;

    /** What becomes of a frame on its way; null: it is lost. */
    interface Way {
        byte @Nullable [] carry(byte[] frame);
    }

    /** A host, seen from its wire. */
    static final class Host {
        final HostCard card =
                new HostCard(
                        CardSetup.of("h", RATE_BPS).withSlots(128, 128, 2048),
                        new PolledHost(1_000_000, 0),
                        true,
                        List.of(RdmaCounter.values()));
        final MemoryWire.FarEnd wire;
        @Nullable RdmaDevice device;

        Host() {
            MemoryWire link = new MemoryWire("m", 1024, 1518);
            PortDevice end = link.device(0, card.region());
            card.ingress(HostCard.WIRE).attach(end);
            card.egress(HostCard.WIRE).attach(end);
            wire = link.farEnd(1);
        }

        void start(RdmaDevice started) {
            device = started;
            card.takeNotices(new HostNotices(started, card.noticeCounters(), true));
            card.ingress(HostCard.APP).attach(started);
            card.egress(HostCard.APP).attach(started);
        }

        RdmaReport report() {
            return Objects.requireNonNull(Objects.requireNonNull(device).report(0));
        }

        long counted(RdmaCounter counter) {
            return card.hostCounters().get(counter);
        }
    }

    Host client = new Host();
    final Host server = new Host();
    long nowNs = 1_000_000;
    boolean mayBegin = true;

    private int reordering;

    RdmaSetup setup(int ipv4, @Nullable RateControls<?> rates) {
        return new RdmaSetup(
                0x0200_0000_0000L | ipv4,
                ipv4,
                RATE_BPS,
                MTU,
                26,
                18515,
                TIMEOUT_NS,
                50,
                reordering,
                rates);
    }

    /** Has connections repair selectively. */
    RdmaHosts repairing(int packets) {
        reordering = packets;
        return this;
    }

    void start(PerfPlan plan, int queuePairs) {
        start(plan, queuePairs, null);
    }

    void start(PerfPlan plan, int queuePairs, @Nullable RateControls<?> rates) {
        start(plan, queuePairs, rates, null);
    }

    void start(
            PerfPlan plan,
            int queuePairs,
            @Nullable RateControls<?> rates,
            @Nullable RateControls<?> ofServer) {
        startServer(plan, 1, ofServer);
        startClient(plan, queuePairs, rates, CLIENT_IP);
    }

    void startServer(PerfPlan plan, int clients, @Nullable RateControls<?> rates) {
        server.start(
                new RdmaDevice(
                        "server",
                        List.of(
                                new RdmaSetup.End(
                                        setup(SERVER_IP, rates),
                                        new RdmaSetup.Server(plan.test(), clients, 1 << 20))),
                        () -> nowNs,
                        server.card.ingress(HostCard.APP).accounts(),
                        server.card.appDoorbell(),
                        server.card.hostCounters()));
    }

    void startClient(PerfPlan plan, int queuePairs, @Nullable RateControls<?> rates, int ipv4) {
        client.start(
                new RdmaDevice(
                        "client",
                        List.of(
                                new RdmaSetup.End(
                                        setup(ipv4, rates),
                                        new RdmaSetup.Client(
                                                plan,
                                                SERVER_IP,
                                                SERVER_IP,
                                                0,
                                                queuePairs,
                                                5_000_000_000L,
                                                () -> mayBegin))),
                        () -> nowNs,
                        client.card.ingress(HostCard.APP).accounts(),
                        client.card.appDoorbell(),
                        client.card.hostCounters()));
    }

    /** Another end of the client's or the server's host; both know each other's MAC address. */
    RdmaSetup.End end(int ipv4, int service, PerfPlan plan, boolean isServer) {
        RdmaSetup usual = setup(ipv4, null);
        RdmaSetup setup =
                new RdmaSetup(
                        usual.mac(),
                        ipv4,
                        RATE_BPS,
                        MTU,
                        26,
                        service,
                        TIMEOUT_NS,
                        usual.retries(),
                        reordering,
                        null);
        int other = ipv4 == CLIENT_IP ? SERVER_IP : CLIENT_IP;
        return new RdmaSetup.End(
                setup,
                isServer
                        ? new RdmaSetup.Server(plan.test(), 1, 1 << 20)
                        : new RdmaSetup.Client(
                                plan,
                                other,
                                other,
                                setup(other, null).mac(),
                                1,
                                5_000_000_000L,
                                () -> mayBegin));
    }

    void start(Host host, List<RdmaSetup.End> ends) {
        host.start(
                new RdmaDevice(
                        "host",
                        ends,
                        () -> nowNs,
                        host.card.ingress(HostCard.APP).accounts(),
                        host.card.appDoorbell(),
                        host.card.hostCounters()));
    }

    void step(Way way) {
        for (Host host : List.of(client, server)) {
            for (Duty duty : host.card.duties()) {
                duty.doWork(nowNs);
            }
        }
        carry(client, server, way);
        carry(server, client, way);
        nowNs += STEP_NS;
    }

    static void carry(Host from, Host to, Way way) {
        for (byte[] frame = from.wire.collect(); frame != null; frame = from.wire.collect()) {
            byte[] arriving = way.carry(frame);
            if (arriving != null) {
                to.wire.inject(arriving);
            }
        }
    }

    void runToTheEnd(Way way) {
        for (int step = 0; client.device != null && client.device.report(0) == null; step++) {
            assertThat(step).as("steps").isLessThan(4_000_000);
            step(way);
        }
        for (int step = 0; server.device != null && server.device.report(0) == null; step++) {
            assertThat(step).as("steps of the server alone").isLessThan(2_000_000);
            step(way);
            nowNs += 100_000;
        }
    }

    static boolean isRoce(byte[] frame) {
        return frame[12] == 8 && frame[13] == 0;
    }

    static int opcode(byte[] frame) {
        return isRoce(frame) ? frame[BTH] & 0xFF : 0;
    }

    /** As a switch marks: the ICRC stays right. */
    static byte[] marked(byte[] frame) {
        frame[15] |= 3;
        checksum(frame);
        return frame;
    }

    static void checksum(byte[] frame) {
        frame[24] = 0;
        frame[25] = 0;
        int sum = 0;
        for (int at = 14; at < 34; at += 2) {
            sum += ByteBuffer.wrap(frame).getShort(at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        ByteBuffer.wrap(frame).putShort(24, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
    }
}
