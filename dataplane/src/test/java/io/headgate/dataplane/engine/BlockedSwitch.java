package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;

import io.headgate.dataplane.deadlock.LoopMessage;
import io.headgate.dataplane.deadlock.LoopToken;
import io.headgate.dataplane.deadlockbreaker.SlotReport;
import io.headgate.dataplane.frame.PfcFrame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A switch of three ports between switches that the test plays: frames come in by p0, which pauses
 * its sender at 50 kB and lets it go on at 20 kB, and wait at p1, whose far end pauses it. Detours
 * look for loops after 100 us.
 */
final class BlockedSwitch {
    static final int PRIORITY = 3;

    /** With preamble, FCS and gap 1,250 bytes: 1 us at 10 Gb/s. */
    static final long FRAME_BYTES = 1226;

    /** Frames that bring p0 over its xoff. */
    static final int MANY = 45;

    static final long DETECTION_NS = 100_000;

    /** Addresses below those of all ports of the switch, and above. */
    static final long LOW = 0x0000_0000_0001L;

    static final long HIGH = 0xFE00_0000_0001L;

    /** Longer than any test. */
    private static final int LONG_QUANTA = 0xFFFF;

    final TestSwitch test;

    BlockedSwitch(String detour) {
        test =
                lossless(
                        3,
                        "lossless: [3], mtu: 1496, flow-control: pfc, link: {delay: 0ns,"
                                + " own-reaction: 2us, peer-reaction: 3us}, buffers: {xoff: 50kB,"
                                + " xon: 20kB}, detour: {"
                                + detour
                                + "}",
                        "");
        for (int host = 0; host < 3; host++) {
            test.hosts.get(host).inject(frame((host + 1) % 3, host, 9, 0, -1));
        }
        test.run(5_000);
        test.received();
    }

    /** A frame of a flow, which is its source port, with a number; tag −1: none. */
    static byte[] frame(int to, int from, int flow, int number, int tag) {
        ByteBuffer frame = ByteBuffer.allocate((int) FRAME_BYTES + (tag >= 0 ? 4 : 0));
        frame.putShort((short) 0x0200).putInt(to).putShort((short) 0x0200).putInt(from);
        if (tag >= 0) {
            frame.putShort((short) 0x88B6).putShort((short) tag);
        }
        frame.putShort((short) 0x0800).put((byte) 0x45).put((byte) LOSSLESS);
        frame.putShort((short) (FRAME_BYTES - 14)).putInt(0).put((byte) 64).put((byte) 17);
        frame.putShort((short) 0).putInt(0x0A00_0000 | from).putInt(0x0A00_0000 | to);
        frame.putShort((short) flow).putShort((short) 4791).putInt(1200 << 16);
        return frame.putInt(number).array();
    }

    /** From the far end of p0, to that of another port. */
    void send(int to, int flow, int number) {
        test.hosts.get(0).inject(frame(to, 0, flow, number, -1));
        test.settle();
    }

    void sendMoved(int to, int flow, int number, int tag) {
        test.hosts.get(0).inject(frame(to, 0, flow, number, tag));
        test.settle();
    }

    /** Blocks p0 behind a paused p1: frames 0 to 44 of flow 5. */
    void block() {
        pause(1);
        for (int i = 0; i < MANY; i++) {
            test.hosts.get(0).inject(frame(1, 0, 5, i, -1));
        }
        test.settle();
        arrived(0);
    }

    void pause(int host) {
        pause(host, LONG_QUANTA);
    }

    void resume(int host) {
        pause(host, 0);
    }

    private void pause(int host, int quanta) {
        List<Integer> times =
                IntStream.range(0, 8).mapToObj(i -> i == PRIORITY ? quanta : 0).toList();
        test.hosts.get(host).inject(new PfcFrame(0x0200_0000_0099L, 1 << PRIORITY, times).encode());
        test.settle();
    }

    /** A token comes in by a port. */
    void token(int port, int kind, long origin, int sequence, int hops) {
        LoopMessage message = new LoopMessage();
        message.kind = kind;
        message.origin = origin;
        message.sequence = sequence;
        message.hops = hops;
        message.priority = PRIORITY;
        message.originPriority = PRIORITY;
        byte[] bytes = new byte[LoopToken.FRAME_BYTES];
        LoopToken.write(MemorySegment.ofArray(bytes), 0, 0x0200_0000_0099L, message);
        inject(port, bytes);
    }

    /** A report comes in by a port. */
    void report(int port, int last, int free) {
        byte[] bytes = new byte[SlotReport.FRAME_BYTES];
        SlotReport.write(MemorySegment.ofArray(bytes), 0, 0x0200_0000_0099L, last, free);
        inject(port, bytes);
    }

    void inject(int port, byte[] bytes) {
        test.hosts.get(port).inject(bytes);
        test.settle();
    }

    /** The address that a port's tokens have, which it must have sent one of. */
    long address(byte[] token) {
        return LoopToken.origin(MemorySegment.ofArray(token), 0);
    }

    /**
     * What came to a far end: data as flow.number, with its tag in brackets; tokens as S (search)
     * or M (move), number and hops; reports as R, last and free; X and O: pauses begin and end.
     */
    List<String> arrived(int host) {
        List<String> came = new ArrayList<>();
        for (byte[] frame = test.hosts.get(host).collect();
                frame != null;
                frame = test.hosts.get(host).collect()) {
            came.add(name(frame));
        }
        return came;
    }

    static String name(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        int type = bytes.getShort(12) & 0xFFFF;
        if (type == 0x88B6) {
            return "[%d] %d.%d".formatted(bytes.getShort(14), bytes.getShort(38), bytes.getInt(46));
        }
        if (type == 0x0800) {
            return "%d.%d".formatted(bytes.getShort(34), bytes.getInt(42));
        }
        MemorySegment segment = MemorySegment.ofArray(frame);
        return switch (bytes.getShort(14)) {
            case LoopToken.OPCODE ->
                    "%s%d hops %d"
                            .formatted(
                                    LoopToken.kind(segment, 0) == LoopToken.SEARCH ? "S" : "M",
                                    LoopToken.sequence(segment, 0),
                                    LoopToken.hops(segment, 0));
            case SlotReport.OPCODE ->
                    "R%d free %d"
                            .formatted(SlotReport.last(segment, 0), SlotReport.free(segment, 0));
            default -> bytes.getShort(18 + 2 * PRIORITY) == 0 ? "O" : "X";
        };
    }

    long value(String port, String label) {
        return test.value(port, label);
    }

    /** Bytes that p0 has let in, in its lossless priority or, with 9, of frames moved there. */
    long held(int account) {
        return test.engine.ingress(0).accounts().bytes(account);
    }

    /** All pauses end: everything leaves. */
    void endsAtRest() {
        resume(1);
        resume(2);
        test.run(1_000_000);
        test.assertAtRest();
    }
}
