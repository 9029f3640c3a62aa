package io.headgate.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.runner.DutyFailures;
import io.headgate.dataplane.runner.ErrorRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What services of a switch hear and send, and what becomes of those that fail. */
class ServicesTest {
    private static final long HOST = 0x0200_0000_0001L;
    private static final long S = 1_000_000_000;

    private static SwitchConfig with(SwitchConfig config) {
        return config.withMechanisms(
                Mechanisms.NONE.with(new Fragile().use(new Fragile.Config(7))));
    }

    private static byte[] frame(long destination, int first) {
        byte[] frame = new byte[60];
        MemorySegment at = MemorySegment.ofArray(frame);
        Ethernet.destination(at, 0, destination);
        Ethernet.source(at, 0, HOST);
        Ethernet.etherType(at, 0, Fragile.ETHER_TYPE);
        frame[Ethernet.HEADER_BYTES] = (byte) first;
        return frame;
    }

    /** What comes back by the port of a frame to a switch: the answer's first byte, or -1. */
    private static int answer(TestSwitch s, long destination) {
        assertThat(s.hosts.get(0).inject(frame(destination, 0))).isTrue();
        s.run(20_000);
        byte[] back = s.hosts.get(0).collect();
        if (back == null || back.length < Ethernet.HEADER_BYTES) {
            return -1;
        }
        boolean isToHost = ByteBuffer.wrap(back).getLong() >>> 16 == HOST;
        return isToHost ? back[Ethernet.HEADER_BYTES] : -1;
    }

    @Test
    void aBridgeWithoutAnAddressAnswersAtItsOwnAndAtAll() {
        TestSwitch s = new TestSwitch(with(TestSwitch.bridge(2)));
        assertThat(answer(s, SwitchAddresses.mac(s.engine.config().name(), -1))).isEqualTo(7);
        assertThat(answer(s, MacAddress.BROADCAST)).isEqualTo(7);
        assertThat(answer(s, 0x0200_0000_0077L)).as("another's").isEqualTo(-1);
        assertThat(TestSwitch.total(s.engine.counters(), "fragile.heard")).isEqualTo(2);
        TestSwitch without = new TestSwitch(TestSwitch.bridge(2));
        assertThat(answer(without, MacAddress.BROADCAST)).isEqualTo(-1);
    }

    @Test
    void aRouterAnswersAtItsPortsAddressAndAtAll() {
        TestSwitch s =
                new TestSwitch(with(TestSwitch.bridge(2).withMode(SwitchConfig.Mode.ROUTED)));
        assertThat(answer(s, SwitchAddresses.mac(s.engine.config().name(), 0))).isEqualTo(7);
        assertThat(answer(s, MacAddress.BROADCAST)).isEqualTo(7);
        assertThat(answer(s, SwitchAddresses.mac(s.engine.config().name(), 1)))
                .as("the other port's")
                .isEqualTo(-1);
    }

    @Test
    void itsKeysChangeWhileItRunsAndItGoesOn() {
        TestSwitch s = new TestSwitch(with(TestSwitch.bridge(2)));
        assertThat(answer(s, MacAddress.BROADCAST)).isEqualTo(7);
        SwitchConfig now = s.engine.config();
        SwitchConfig next =
                now.withMechanisms(now.mechanisms().with(new Fragile().use(new Fragile.Config(9))));
        SwitchEngine.Change change = s.engine.prepare(now, next);
        int local = s.engine.localPort();
        assertThat(change.ports()).containsExactly(local);
        change.ingress(local).accept(s.engine.ingress(local));
        assertThat(answer(s, MacAddress.BROADCAST)).isEqualTo(9);
        assertThat(Objects.requireNonNull(s.engine.service(Fragile.Answering.class)).heard())
                .isEqualTo(2);
    }

    @Test
    void whereNobodyCanBeToldARunEndsWithAServiceThatFails() {
        TestSwitch s = new TestSwitch(with(TestSwitch.bridge(2)));
        assertThat(s.hosts.get(0).inject(frame(MacAddress.BROADCAST, Fragile.FATAL))).isTrue();
        assertThatThrownBy(() -> s.run(20_000)).hasMessage("service fragile failed");
    }

    @Test
    void oneThatFailsIsReportedOnceAndTriedAgainLaterEachTime() {
        SwitchConfig config = with(TestSwitch.bridge(2));
        CounterDirectory counters = new CounterDirectory();
        int block = counters.reserve(Scope.SWITCH, 0, "s", Services.counters(config).getFirst());
        counters.bindPrivately();
        ErrorRecord errors = new ErrorRecord();
        List<String> log = new ArrayList<>();
        DutyFailures failures = new DutyFailures(log::add, errors);
        List<Integer> sent = new ArrayList<>();
        Services services =
                new Services(
                        config,
                        new Services.Parts(
                                SwitchAddresses.of(config),
                                port -> true,
                                (segment, at, bytes, port) -> sent.add(bytes),
                                service -> counters.block(block),
                                failures::serviceFailed,
                                () -> {}));
        long nowNs = 5 * S;
        for (long pauseS : new long[] {1, 2, 4, 8, 16, 32, 64, 64}) {
            hear(services, nowNs, Fragile.FATAL);
            hear(services, nowNs, 0);
            assertThat(sent).isEmpty();
            assertThat(services.get(Fragile.Answering.class)).isNull();
            assertThat(services.deadlineNs()).isEqualTo(nowNs + pauseS * S);
            nowNs += pauseS * S;
            services.doWork(nowNs - 1);
            assertThat(services.get(Fragile.Answering.class)).isNull();
            services.doWork(nowNs);
        }
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith(
                        "service fragile failed, and is tried again a while later:"
                                + " java.lang.IllegalStateException: told to fail at ");
        assertThat(errors.entries())
                .extracting(ErrorRecord.Entry::kind)
                .containsExactly(ErrorRecord.Kind.SERVICE_FAILED);
        hear(services, nowNs, 0);
        assertThat(sent).containsExactly(60);
        // It was well for longer than it had been away: that is new.
        hear(services, nowNs + 65 * S, Fragile.FATAL);
        assertThat(services.deadlineNs()).isEqualTo(nowNs + 66 * S);
        assertThat(log).hasSize(2);
        assertThat(TestSwitch.total(counters, "fragile.failures")).isEqualTo(9);
    }

    @Test
    void oneThatCannotGoOnFromTheOtherIsStoppedSaidOnceAndMadeLater() {
        SwitchConfig config = with(TestSwitch.bridge(2));
        SwitchConfig fatal =
                config.withMechanisms(
                        Mechanisms.NONE.with(new Fragile().use(new Fragile.Config(Fragile.FATAL))));
        List<Byte> sent = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        int[] rung = {0};
        CounterDirectory counters = new CounterDirectory();
        int block = counters.reserve(Scope.SWITCH, 0, "s", Services.counters(config).getFirst());
        counters.bindPrivately();
        Services services =
                new Services(
                        config,
                        new Services.Parts(
                                SwitchAddresses.of(config),
                                port -> true,
                                (segment, at, bytes, port) ->
                                        sent.add(
                                                segment.get(
                                                        ValueLayout.JAVA_BYTE,
                                                        at + Ethernet.HEADER_BYTES)),
                                service -> counters.block(block),
                                (service, failure) -> failed.add(failure.getMessage()),
                                () -> rung[0]++));
        services.prepare(config, fatal).run();
        assertThat(rung[0]).as("it is due at another time").isEqualTo(1);
        assertThat(services.deadlineNs()).isLessThanOrEqualTo(S);
        hear(services, S, 0);
        services.doWork(S);
        assertThat(services.get(Fragile.Answering.class)).isNull();
        services.doWork(2 * S - 1);
        hear(services, 2 * S - 1, 0);
        assertThat(sent).isEmpty();
        assertThat(failed).containsExactly("told not to go on");
        services.doWork(2 * S);
        hear(services, 2 * S, 0);
        assertThat(sent).containsExactly(Fragile.FATAL);
        assertThat(TestSwitch.total(counters, "fragile.failures")).isEqualTo(1);
    }

    private static void hear(Services services, long nowNs, int first) {
        byte[] frame = frame(MacAddress.BROADCAST, first);
        assertThat(
                        services.heard(
                                nowNs,
                                0,
                                Fragile.ETHER_TYPE,
                                MemorySegment.ofArray(frame),
                                0,
                                frame.length))
                .isTrue();
    }

    @Test
    void whatTheSwitchNeedsItselfCannotBeListenedTo() {
        for (int type : new int[] {EtherType.ARP, EtherType.IPV4, 0x8808, 0x88B5, 0x5FF, 0x10000}) {
            assertThatThrownBy(() -> Listening.to(type))
                    .hasMessageStartingWith("EtherType 0x%04x cannot".formatted(type));
        }
        assertThatThrownBy(() -> new Listening(0x9000, HOST))
                .hasMessageStartingWith("02:00:00:00:00:01 cannot be received by a service");
        assertThatThrownBy(() -> new Listening(0x9000, MacAddress.MAC_CONTROL))
                .hasMessageContaining("not that of pauses");
    }
}
