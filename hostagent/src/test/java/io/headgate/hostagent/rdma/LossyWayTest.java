package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ends over a way that loses, delays and doubles packets and answers at random: every message
 * arrives whole, in order and once, whatever happens. The seed is the test's argument.
 */
class LossyWayTest {
    private static final int MTU = 64;
    private static final long TIMEOUT_NS = 5_000;
    private static final int MESSAGES = 400;
    private static final long STEP_NS = 100;
    private static final int WINDOW = 40;

    /** A packet, or an answer, under way. */
    private record Flight(
            long atNs,
            long order,
            boolean isAnswer,
            int psn,
            int opcode,
            boolean asks,
            int bytes,
            long announced,
            int syndrome,
            @Nullable MemorySegment report)
            implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private long order;
    private long sentBytes;

    private void put(NamedRandom random, double harm, long nowNs, Flight flight) {
        if (random.nextDouble() < harm) {
            return;
        }
        int copies = random.nextDouble() < harm ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            boolean late = random.nextDouble() < harm;
            long delayNs = 300 + (late ? random.nextLong(20 * STEP_NS) : 0);
            flights.add(
                    new Flight(
                            nowNs + delayNs,
                            order++,
                            flight.isAnswer,
                            flight.psn,
                            flight.opcode,
                            flight.asks,
                            flight.bytes,
                            flight.announced,
                            flight.syndrome,
                            flight.report));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everyByteArrivesInOrderExactlyOnce(long seed) {
        run(seed, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everyByteArrivesInOrderExactlyOnceIfOnlyLostPacketsAreSentAgain(long seed) {
        run(seed, 1 + (int) seed % 7);
    }

    private void run(long seed, int reordering) {
        NamedRandom random = NamedRandom.of(seed, "way", "harm");
        double harm = 0.3 * random.nextDouble();
        int firstPsn = Psn.MASK - random.nextInt(2_000);
        List<Long> sizes = new ArrayList<>();
        List<Long> acknowledged = new ArrayList<>();
        List<Long> arrived = new ArrayList<>();
        Requester requester =
                new Requester(
                        new Requester.Settings(
                                MTU,
                                firstPsn,
                                1 + random.nextInt(20),
                                TIMEOUT_NS,
                                Requester.Settings.FOR_EVER),
                        (now, bytes, from) -> acknowledged.add(bytes),
                        reordering == 0 ? 0 : 64,
                        reordering);
        requester.window(0, WINDOW);
        Responder responder =
                new Responder(
                        MTU,
                        firstPsn,
                        (now, bytes, from) -> arrived.add(bytes),
                        null,
                        reordering == 0 ? 0 : 64);
        long takenPackets = 0;
        long nowNs = 0;
        while (acknowledged.size() < MESSAGES) {
            nowNs += STEP_NS;
            assertThat(nowNs).as("it ends, with seed %d", seed).isLessThan(10_000_000_000L);
            while (sizes.size() < MESSAGES && requester.messagesUnderWay() < 5) {
                long bytes = random.nextLong(12L * MTU);
                sizes.add(bytes);
                sentBytes += bytes;
                requester.post(random.nextInt(2) == 0 ? Verb.SEND : Verb.WRITE, bytes);
            }
            requester.tick(nowNs);
            if (requester.maySend()) {
                requester.send(nowNs);
                put(random, harm, nowNs, packet(requester));
            }
            while (!flights.isEmpty() && flights.peek().atNs <= nowNs) {
                Flight flight = flights.remove();
                if (flight.isAnswer) {
                    Requester.Answered became =
                            flight.report == null
                                    ? requester.answered(nowNs, flight.psn, flight.syndrome)
                                    : requester.reported(nowNs, flight.psn, flight.report, 0);
                    assertThat(became).isNotEqualTo(Requester.Answered.REFUSED);
                    assertThat(became).isNotEqualTo(Requester.Answered.IMPOSSIBLE);
                } else {
                    takenPackets += take(responder, flight, nowNs);
                }
            }
            if (responder.hasAnswer() && random.nextInt(3) == 0) {
                boolean reports = responder.reportBytes() > 0;
                int syndrome = responder.takeAnswer();
                int psn = responder.answerPsn(syndrome);
                MemorySegment report = null;
                if (reports) {
                    report = MemorySegment.ofArray(new byte[Responder.REPORT_BYTES]);
                    responder.report(report, 0);
                }
                put(
                        random,
                        harm,
                        nowNs,
                        new Flight(0, 0, true, psn, 0, false, 0, 0, syndrome, report));
            }
        }
        assertThat(arrived).isEqualTo(sizes);
        assertThat(acknowledged).isEqualTo(sizes);
        assertThat(arrived.stream().mapToLong(Long::longValue).sum()).isEqualTo(sentBytes);
        assertThat(takenPackets)
                .isEqualTo(sizes.stream().mapToLong(bytes -> Requester.packets(bytes, MTU)).sum());
        assertThat(responder.hasFailed()).isFalse();
        // Otherwise nothing was tried.
        assertThat(requester.repeats()).isPositive();
        assertThat(requester.timeouts() + requester.naks()).isPositive();
    }

    private static Flight packet(Requester from) {
        return new Flight(
                0,
                0,
                false,
                from.psn(),
                from.opcode(),
                from.isAckRequested(),
                from.payloadBytes(),
                from.messageBytes(),
                0,
                null);
    }

    private static int take(Responder by, Flight flight, long nowNs) {
        Responder.Arrived became =
                by.arrived(
                        nowNs,
                        flight.psn,
                        flight.opcode,
                        flight.asks,
                        flight.bytes,
                        flight.announced);
        assertThat(became).isNotEqualTo(Responder.Arrived.INVALID);
        return became == Responder.Arrived.TAKEN || became == Responder.Arrived.KEPT ? 1 : 0;
    }
}
