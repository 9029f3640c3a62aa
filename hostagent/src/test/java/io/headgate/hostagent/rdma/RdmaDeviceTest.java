package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.Fixed;
import io.headgate.hostagent.rate.FixedConfig;
import io.headgate.hostagent.rate.Lipd;
import io.headgate.hostagent.rate.LipdConfig;
import io.headgate.hostagent.rate.RateControls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** A client and a server on cards of their own; the test is the wire, and the clock. */
class RdmaDeviceTest extends RdmaHosts {
    @Test
    void writesArriveAndBothEndsKnow() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 500, 0, 16), 2);
        runToTheEnd(frame -> frame);
        RdmaReport report = client.report();
        assertThat(report.failure()).isNull();
        assertThat(report.connections()).hasSize(2);
        for (RdmaReport.Connection one : report.connections()) {
            assertThat(one.messages()).isEqualTo(500);
            assertThat(one.timesNs().getTotalCount()).isEqualTo(500);
            assertThat(one.repeats()).isZero();
        }
        assertThat(server.report().connections())
                .extracting(RdmaReport.Connection::bytes)
                .containsExactly(500_000L, 500_000L);
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(1_000);
        assertThat(server.counted(RdmaCounter.BYTES_RECEIVED)).isEqualTo(1_000_000);
        // 1,000 bytes are four packets, the last of 232.
        assertThat(server.counted(RdmaCounter.PACKETS_TAKEN)).isEqualTo(4_000);
        assertThat(client.counted(RdmaCounter.ICRC_WRONG)).isZero();
        assertThat(server.counted(RdmaCounter.FOREIGN)).isZero();
    }

    /** As in a ring of hosts, of which each sends to the next one. */
    @Test
    void aHostSendsToSeveralServersAndReceivesMeanwhile() {
        PerfPlan write = new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 300, 0, 16);
        PerfPlan send = new PerfPlan(PerfPlan.Test.SEND_BW, 500, 200, 0, 4);
        PerfPlan back = new PerfPlan(PerfPlan.Test.WRITE_BW, 2_000, 100, 0, 4);
        start(
                server,
                List.of(
                        end(SERVER_IP, 1, write, true),
                        end(SERVER_IP, 2, send, true),
                        end(SERVER_IP, 3, back, false)));
        start(
                client,
                List.of(
                        end(CLIENT_IP, 3, back, true),
                        end(CLIENT_IP, 2, send, false),
                        end(CLIENT_IP, 1, write, false)));
        for (int step = 0; bytes(client).contains(-1L) || bytes(server).contains(-1L); step++) {
            assertThat(step).as("steps").isLessThan(4_000_000);
            step(frame -> frame);
        }
        assertThat(bytes(server)).containsExactly(300_000L, 100_000L, 200_000L);
        assertThat(bytes(client)).containsExactly(200_000L, 100_000L, 300_000L);
        assertThat(client.counted(RdmaCounter.QP_UNKNOWN)).isZero();
        assertThat(server.counted(RdmaCounter.CONNECTIONS_REFUSED)).isZero();
    }

    private static List<Long> bytes(Host host) {
        List<Long> bytes = new ArrayList<>();
        for (int end = 0; end < 3; end++) {
            RdmaReport report = Objects.requireNonNull(host.device).report(end);
            bytes.add(
                    report == null || report.failure() != null
                            ? -1
                            : report.connections().getFirst().bytes());
        }
        return bytes;
    }

    @Test
    void aClientBeginsWithinTwoMillisecondsOfWhenItMay() {
        mayBegin = false;
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 5, 0, 2), 1);
        long fromNs = nowNs;
        while (nowNs - fromNs < 50_000_000) {
            step(frame -> frame);
        }
        assertThat(server.counted(RdmaCounter.PACKETS_TAKEN)).isZero();
        mayBegin = true;
        fromNs = nowNs;
        while (client.counted(RdmaCounter.MESSAGES_SENT) < 5 && nowNs - fromNs < 2_000_000) {
            step(frame -> frame);
        }
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(5);
    }

    @Test
    void onSlowLinesFewerFramesAreInTheCard() {
        assertThat(RdmaDevice.mostInCard(10_000_000_000L, 1024)).isEqualTo(64);
        // A millisecond of 100 Mb/s is 12,500 bytes, and a frame 1,122.
        assertThat(RdmaDevice.mostInCard(100_000_000, 1024)).isEqualTo(11);
        assertThat(RdmaDevice.mostInCard(1_000_000, 1024)).isEqualTo(2);
    }

    /** Else its worker is never idle again, and with real-time priority keeps its core. */
    @Test
    void whoeverHasEndedHasNothingLeftToBeCalledFor() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 5, 0, 2), 1);
        runToTheEnd(frame -> frame);
        step(frame -> frame);
        for (Host host : List.of(client, server)) {
            assertThat(Objects.requireNonNull(host.device).deadlineNs()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void latencyIsHalfTheWayThereAndBack() {
        start(new PerfPlan(PerfPlan.Test.LAT, 2, 200, 0, 16), 1);
        runToTheEnd(frame -> frame);
        RdmaReport.Connection one = client.report().connections().getFirst();
        assertThat(client.report().failure()).isNull();
        assertThat(one.timesNs().getTotalCount()).isEqualTo(200);
        // A step to the server's wire and a step to the client's, at the least.
        assertThat(one.timesNs().getMinValue()).isBetween(STEP_NS, 20 * STEP_NS);
        assertThat(server.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(200);
    }

    @Test
    void overALossyWayEveryMessageArrivesOnce() {
        NamedRandom random = NamedRandom.of(7, "wire", "losses");
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 2_000, 300, 0, 8), 3);
        runToTheEnd(frame -> random.nextInt(50) == 0 ? null : frame);
        assertThat(client.report().failure()).isNull();
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(900);
        assertThat(server.counted(RdmaCounter.MESSAGES_RECEIVED)).isEqualTo(900);
        assertThat(server.counted(RdmaCounter.BYTES_RECEIVED)).isEqualTo(1_800_000);
        assertThat(client.counted(RdmaCounter.PACKETS_REPEATED)).isPositive();
        assertThat(client.counted(RdmaCounter.NAKS_RECEIVED)).isPositive();
    }

    @Test
    void withSelectiveRepairOnlyLostPacketsAreSentAgainAndPayloadGetsToItsPlace() {
        NamedRandom random = NamedRandom.of(7, "wire", "losses");
        repairing(8);
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 20_000, 100, 0, 8), 1);
        byte[][] held = new byte[2][];
        long[] lost = {0};
        byte[] expected = new byte[20_000];
        QueuePair[] pair = new QueuePair[1];
        runToTheEnd(frame -> {
            if (pair[0] == null && !pairs(server).isEmpty()) {
                pair[0] = pairs(server).getFirst();
                // What comes in place is not what was there.
                MemorySegment memory = pair[0].memory();
                MemorySegment.copy(memory, 0, MemorySegment.ofArray(expected), 0, expected.length);
                memory.fill((byte) 0xEE);
            }
            if (!isRoce(frame) || opcode(frame) == RcOpcode.UD_SEND_ONLY) {
                return frame;
            }
            if (opcode(frame) != RcOpcode.ACKNOWLEDGE && random.nextInt(50) == 0) {
                lost[0]++;
                return null;
            }
            int way = opcode(frame) == RcOpcode.ACKNOWLEDGE ? 1 : 0;
            byte[] before = held[way];
            if (before == null && random.nextInt(4) == 0) {
                held[way] = frame.clone();
                return null;
            }
            if (before != null && random.nextInt(4) != 0) {
                held[way] = frame.clone();
                return before;
            }
            return frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.BYTES_RECEIVED)).isEqualTo(2_000_000);
        assertThat(server.counted(RdmaCounter.PACKETS_KEPT)).isGreaterThan(lost[0]);
        assertThat(server.counted(RdmaCounter.PACKETS_EARLY)).isZero();
        assertThat(server.counted(RdmaCounter.ICRC_WRONG)).isZero();
        byte[] arrived = new byte[expected.length];
        MemorySegment.copy(pair[0].memory(), 0, MemorySegment.ofArray(arrived), 0, arrived.length);
        assertThat(arrived).isEqualTo(expected);
    }

    private static List<QueuePair> pairs(Host host) {
        RdmaDevice device = host.device;
        return device == null ? List.of() : device.pairs();
    }

    @Test
    void aRateIsHeldToAPercent() {
        RateControls<?> rates = RateControls.of(new Fixed().use(new FixedConfig(1_000_000_000L)));
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, MTU, 1_000, 0, 64), 1, rates);
        runToTheEnd(frame -> frame);
        RdmaReport.Connection one = client.report().connections().getFirst();
        // 14 + 20 + 8 + 12 + 16 + 256 + 4 bytes, and 24 of the wire, at 1 Gb/s.
        assertThat((double) one.elapsedNs() / (1_000L * (330 + 24) * 8)).isBetween(0.99, 1.01);
    }

    @Test
    void marksAreToldOfByPacketsAndTheSenderSlowsDown() {
        RateControls<?> dcqcn =
                RateControls.of(new Dcqcn().use(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED)));
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, MTU, 4_000, 0, 64), 1, dcqcn, dcqcn);
        long[] told = {0, 0, Long.MAX_VALUE};
        byte[][] packet = new byte[1][];
        runToTheEnd(frame -> {
            if (opcode(frame) == 0x81) {
                told[0]++;
                told[2] = told[1] == 0 ? told[2] : Math.min(told[2], nowNs - told[1]);
                told[1] = nowNs;
                packet[0] = frame.clone();
            }
            boolean isData = isRoce(frame) && opcode(frame) >= 6 && opcode(frame) <= 10;
            if (isData) {
                assertThat(frame[15] & 3).as("what may be marked").isEqualTo(1);
            }
            return isData ? marked(frame) : frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(told[0]).isGreaterThan(3).isEqualTo(server.counted(RdmaCounter.CNPS_SENT));
        assertThat(told[2]).as("between two, in ns").isGreaterThanOrEqualTo(50_000);
        assertThat(client.card.noticeCounters().get(NoticeCounter.OBEYED)).isEqualTo(told[0]);
        assertThat(sealed(packet[0].clone())).isEqualTo(packet[0]);
        assertThat(client.counted(RdmaCounter.PACKETS_REPEATED)).isZero();
        assertThat(client.counted(RdmaCounter.PACKETS_INVALID)).isZero();
        RdmaReport.Connection one = client.report().connections().getFirst();
        double lineNs = 4_000 * (330 + 24) * 8 / 10.0;
        assertThat(one.elapsedNs())
                .as("time, which it takes at the line's rate %s", lineNs)
                .isGreaterThan((long) (3 * lineNs));
    }

    /** The receiver's worker is held at any place, also between its clock and the wire. */
    @Test
    void notificationsOfAFlowLeaveTheirIntervalApartHoweverLongAWorkerIsHeld() {
        RateControls<?> dcqcn =
                RateControls.of(new Dcqcn().use(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED)));
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, MTU, 20_000, 0, 64), 1, dcqcn, dcqcn);
        NamedRandom random = NamedRandom.of(3, "worker", "held");
        List<Long> leftNs = new ArrayList<>();
        for (int step = 0; leftNs.size() < 300; step++) {
            assertThat(step).as("steps").isLessThan(2_000_000);
            client.card.duties().forEach(duty -> duty.doWork(nowNs));
            carry(client, server, frame -> opcode(frame) >= 6 ? marked(frame) : frame);
            long cycleNs = nowNs;
            for (Duty duty : server.card.duties()) {
                duty.doWork(cycleNs);
                carry(
                        server,
                        client,
                        frame -> {
                            if (opcode(frame) == 0x81) {
                                leftNs.add(nowNs);
                            }
                            return frame;
                        });
                nowNs += random.nextInt(20) == 0 ? random.nextInt(45_000) : 10;
            }
        }
        for (int i = 1; i < leftNs.size(); i++) {
            assertThat(leftNs.get(i) - leftNs.get(i - 1))
                    .as("gap %d", i)
                    .isGreaterThanOrEqualTo(50_000);
        }
    }

    @Test
    void forgedNotificationsAreBoundedAndUnmarkedFramesAreNotToldOf() {
        RateControls<?> dcqcn =
                RateControls.of(new Dcqcn().use(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED)));
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, MTU, 2_000, 0, 64), 1, dcqcn, dcqcn);
        byte[][] real = new byte[1][];
        int[] seen = {0};
        runToTheEnd(frame -> {
            boolean isData = isRoce(frame) && opcode(frame) >= 6 && opcode(frame) <= 10;
            if (opcode(frame) == 0x81) {
                real[0] = frame.clone();
            }
            if (isData && ++seen[0] % 5 == 0 && real[0] != null) {
                byte[] stranger = real[0].clone();
                stranger[BTH + 7] = 0x77;
                client.wire.inject(real[0].clone());
                client.wire.inject(sealed(stranger));
            }
            // Marked is the first alone.
            return isData && seen[0] == 1 ? marked(frame) : frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.CNPS_SENT)).isEqualTo(1);
        var notices = client.card.noticeCounters();
        assertThat(notices.get(NoticeCounter.UNKNOWN_FLOW)).isPositive();
        assertThat(notices.get(NoticeCounter.EXCESS)).isPositive();
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(2_000);
    }

    /** With a valid ICRC, as an attacker would send it. */
    private static byte[] sealed(byte[] frame) {
        byte[] masked = frame.clone();
        int ipBytes = ByteBuffer.wrap(frame).getShort(16) & 0xFFFF;
        masked[15] = masked[22] = masked[24] = masked[25] = -1;
        masked[40] = masked[41] = masked[BTH + 4] = -1;
        CRC32 crc = new CRC32();
        crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(masked, 14, ipBytes - 4);
        int value = Integer.reverseBytes((int) crc.getValue());
        ByteBuffer.wrap(frame).putInt(14 + ipBytes - 4, value);
        return frame;
    }

    @Test
    void theOracleOfThisTestAgreesWithWhatIsSent() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 999, 20, 0, 4), 1);
        int[] checked = {0};
        runToTheEnd(frame -> {
            if (frame[12] == 8 && frame[13] == 0) {
                assertThat(sealed(frame.clone())).isEqualTo(frame);
                checked[0]++;
            }
            return frame;
        });
        assertThat(checked[0]).isGreaterThan(80);
    }

    @Test
    void packetsOfOtherServicesMoveNothing() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 20, 0, 4), 1);
        boolean[] forged = {false};
        runToTheEnd(frame -> {
            if (!forged[0] && opcode(frame) == 6) {
                byte[] datagram = frame.clone();
                datagram[BTH] = 0x64;
                server.wire.inject(sealed(datagram));
                forged[0] = true;
            }
            return frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.FOREIGN)).isEqualTo(1);
        assertThat(server.counted(RdmaCounter.MESSAGES_RECEIVED)).isEqualTo(20);
    }

    @Test
    void noMoreIsUnderWayThanTheControlsWindow() {
        // One packet may be: each asks for its acknowledgement, which otherwise one in eight does.
        RateControls<?> rates = RateControls.of(new Lipd().use(new LipdConfig(8)));
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 20 * MTU, 10, 0, 4), 1, rates);
        runToTheEnd(frame -> frame);
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.ACKS_SENT)).isEqualTo(200);
    }

    /** What an acknowledgement says of the delay holds before the very next packet. */
    @Test
    void aMarkDelaysThePacketThatWaits() {
        start(
                new PerfPlan(PerfPlan.Test.WRITE_BW, 20 * MTU, 1, 0, 4),
                1,
                RateControls.of(new Lipd().use(new LipdConfig(100))));
        List<Long> sentNs = new ArrayList<>();
        int[] wireBytes = {0};
        while (sentNs.size() < 6) {
            step(frame -> {
                boolean isData = RcOpcode.isWrite(opcode(frame));
                if (isData) {
                    sentNs.add(nowNs);
                    wireBytes[0] = frame.length + 24;
                }
                return isData ? marked(frame) : frame;
            });
            nowNs += sentNs.isEmpty() ? 0 : 10 - STEP_NS;
        }
        // One packet time longer with each mark; the first packets are shorter or longer.
        double packetNs = wireBytes[0] * 8e9 / RATE_BPS;
        for (int packet = 3; packet < 6; packet++) {
            assertThat((double) sentNs.get(packet) - sentNs.get(packet - 1))
                    .isCloseTo((packet + 1) * packetNs, within(40.0));
        }
    }

    @Test
    void hostileFramesAreCountedAndIgnored() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 400, 0, 4), 1);
        int[] seen = {0};
        runToTheEnd(frame -> {
            boolean isData =
                    frame[12] == 8 && frame[13] == 0 && frame[BTH] >= 6 && frame[BTH] <= 10;
            if (isData && ++seen[0] % 10 == 0) {
                for (byte[] hostile : hostile(frame)) {
                    server.wire.inject(hostile);
                }
            }
            return frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isEqualTo(400);
        assertThat(server.counted(RdmaCounter.MESSAGES_RECEIVED)).isEqualTo(400);
        assertThat(server.counted(RdmaCounter.ICRC_WRONG)).isPositive();
        assertThat(server.counted(RdmaCounter.QP_UNKNOWN)).isPositive();
        assertThat(server.counted(RdmaCounter.ACKS_IMPOSSIBLE)).isPositive();
        assertThat(server.counted(RdmaCounter.MALFORMED)).isPositive();
        assertThat(server.counted(RdmaCounter.FOREIGN)).isPositive();
        assertThat(server.counted(RdmaCounter.PACKETS_DUPLICATE)).isPositive();
    }

    /** Frames made from one that is on its way. */
    private static List<byte[]> hostile(byte[] frame) {
        byte[] flipped = frame.clone();
        flipped[BTH + 12 + 20] ^= 1;
        byte[] unknown = frame.clone();
        unknown[BTH + 7] = 0x77;
        byte[] stranger = frame.clone();
        // Another host's address, the header's checksum put right.
        stranger[29]++;
        stranger[25]--;
        byte[] old = frame.clone();
        // Long ago: half the numbers back.
        old[BTH + 9] ^= (byte) 0x80;
        byte[] answer = ByteBuffer.allocate(62).put(frame, 0, 54).array();
        ByteBuffer short0 = ByteBuffer.wrap(answer);
        short0.putShort(16, (short) 48).putShort(38, (short) 28);
        answer[BTH] = 0x11;
        answer[BTH + 1] = 0;
        answer[54] = 0x1F;
        checksum(answer);
        // One of the two is of packets that were never sent.
        byte[] answerToo = answer.clone();
        answerToo[BTH + 9] ^= (byte) 0x80;
        byte[] cut = frame.clone();
        cut[BTH + 1] |= 0x0F;
        byte[] other = frame.clone();
        other[36] = 0;
        byte[] toOthers = frame.clone();
        toOthers[33] ^= 4;
        checksum(toOthers);
        return List.of(
                flipped,
                sealed(unknown),
                sealed(stranger),
                sealed(old),
                sealed(answer),
                sealed(answerToo),
                sealed(cut),
                other,
                toOthers);
    }

    @Test
    void aServerThatIsNotThereIsSaidSo() {
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 1_000, 10, 0, 4), 1);
        for (int step = 0; step < 6_000; step++) {
            step(frame -> null);
            nowNs += 1_000_000;
        }
        assertThat(client.report().failure()).contains("no machine answers for");
        assertThat(client.report().connections()).isEmpty();
    }

    @Test
    void aServerOfAnotherTestRefuses() {
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 2 << 20, 10, 0, 4), 1);
        for (int step = 0; step < 2_000; step++) {
            step(frame -> frame);
        }
        assertThat(client.report().failure()).contains("the server refused the connection");
        assertThat(server.counted(RdmaCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
    }

    @Test
    void aServerThatFallsSilentEndsTheMeasurement() {
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 1_000, 1_000_000, 0, 4), 1);
        for (int step = 0; step < 10_000; step++) {
            step(frame -> frame);
        }
        assertThat(client.counted(RdmaCounter.MESSAGES_SENT)).isPositive();
        for (int step = 0; step < 20_000; step++) {
            step(frame -> null);
            nowNs += TIMEOUT_NS;
        }
        assertThat(client.report().failure()).contains("stopped answering");
    }

    @Test
    void whoeverAsksForTheAddressIsTold() {
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 100, 1, 0, 4), 1);
        byte[][] first = new byte[1][];
        byte[][] reply = new byte[1][];
        for (int i = 0; i < 100; i++) {
            step(frame -> {
                if (frame[12] == 8 && frame[13] == 6) {
                    if (first[0] == null) {
                        first[0] = frame;
                    } else if (reply[0] == null) {
                        reply[0] = frame;
                    }
                }
                return frame;
            });
        }
        assertThat(mac(first[0], 0)).isEqualTo(MacAddress.BROADCAST);
        assertThat(mac(reply[0], 0)).isEqualTo(0x0200_0A00_0001L);
        assertThat(mac(reply[0], 22)).isEqualTo(0x0200_0A00_0002L);
    }

    private static long mac(byte[] frame, int at) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        long high = bytes.getShort(at) & 0xFFFF;
        return (high << 32) | (bytes.getInt(at + 2) & 0xFFFF_FFFFL);
    }

    /** More of them than a host has places, and of larger messages than it has memory. */
    @Test
    void whatEndedMakesRoomForOthersAndIsReported() {
        int clients = Connections.MOST + 20;
        PerfPlan plan = new PerfPlan(PerfPlan.Test.WRITE_BW, 300_000, 1, 0, 1);
        startServer(plan, clients, null);
        for (int i = 0; i < clients; i++) {
            client = new Host();
            startClient(plan, 1, null, CLIENT_IP + 0x100 + i);
            for (int step = 0; client.device != null && client.device.report(0) == null; step++) {
                assertThat(step).as("steps").isLessThan(100_000);
                step(frame -> frame);
            }
            assertThat(client.report().failure()).isNull();
        }
        runToTheEnd(frame -> frame);
        assertThat(server.report().failure()).isNull();
        assertThat(server.report().connections())
                .hasSize(clients)
                .allMatch(one -> one.bytes() == 300_000);
    }

    @Test
    void messagesForWhichThereIsNoMemoryAreRefused() {
        start(new PerfPlan(PerfPlan.Test.SEND_BW, 400_000, 1, 0, 4), 3);
        for (int step = 0; step < 20_000; step++) {
            step(frame -> frame);
        }
        assertThat(client.report().failure()).contains("the server refused the connection");
        assertThat(server.counted(RdmaCounter.CONNECTIONS_REFUSED)).isPositive();
    }

    @Test
    void aClientThatGoesWithoutAWordIsMissed() {
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, 1_000, 1_000_000, 0, 4), 2);
        for (int step = 0; step < 10_000; step++) {
            step(frame -> frame);
        }
        assertThat(server.counted(RdmaCounter.MESSAGES_RECEIVED)).isPositive();
        // What is on its way arrives.
        for (int i = 0; i < 100; i++) {
            step(frame -> null);
        }
        nowNs += 59_000_000_000L;
        step(frame -> null);
        assertThat(Objects.requireNonNull(server.device).report(0)).isNull();
        for (int step = 0; step < 8; step++) {
            nowNs += 1_000_000_000L;
            step(frame -> null);
        }
        assertThat(server.report().failure()).contains("no packet arrived from a client for 60 s");
        assertThat(server.report().connections()).hasSize(2);
    }
}
