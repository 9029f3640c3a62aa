package io.headgate.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** The ICRC computed in another way than the program does, and files of frames read by hand. */
public final class IcrcOracle {
    private static final int ETHERNET = 14;
    private static final int IP_LENGTH = 16;
    private static final int UDP_PORT = 36;
    private static final int UDP_LENGTH = 38;
    private static final int SHIM = 42;
    private static final int ENHANCED_PACKET = 6;
    private static final int PCAPNG = 0x0A0D_0D0A;

    private IcrcOracle() {}

    /** Whether it is an untagged frame of RoCEv2 over IPv4. */
    public static boolean isRoce(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        return frame.length >= 58
                && bytes.getShort(12) == 0x0800
                && frame[ETHERNET] == 0x45
                && frame[23] == 17
                && (bytes.getShort(UDP_PORT) & 0xFFFF) == 4791;
    }

    /** What a frame carries. */
    public static int carried(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(end(frame));
    }

    private static int end(byte[] frame) {
        return ETHERNET + (ByteBuffer.wrap(frame).getShort(IP_LENGTH) & 0xFFFF) - Integer.BYTES;
    }

    /** What it should carry, as its four bytes on the wire (IBTA annex A17.3.3). */
    public static int expected(byte[] frame) {
        byte[] masked = frame.clone();
        for (int at : new int[] {15, 22, 24, 25, 40, 41, 46}) {
            masked[at] = -1;
        }
        CRC32 crc = new CRC32();
        crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(masked, ETHERNET, end(frame) - ETHERNET);
        return Integer.reverseBytes((int) crc.getValue());
    }

    /**
     * A frame behind a sink that takes off its telemetry (INT-MD, which stands before what the
     * frame was sent with), all of it but the last few bytes.
     */
    public static byte[] withoutTelemetry(byte[] frame, int leftBytes) {
        assertThat(frame[SHIM]).as("kind of the shim").isEqualTo((byte) 0x14);
        int bytes = Integer.BYTES * (1 + (frame[SHIM + 1] & 0xFF)) - leftBytes;
        byte[] shorter = new byte[frame.length - bytes];
        System.arraycopy(frame, 0, shorter, 0, SHIM);
        System.arraycopy(frame, SHIM + bytes, shorter, SHIM, shorter.length - SHIM);
        ByteBuffer wire = ByteBuffer.wrap(shorter);
        wire.putShort(IP_LENGTH, (short) (wire.getShort(IP_LENGTH) - bytes));
        wire.putShort(UDP_LENGTH, (short) (wire.getShort(UDP_LENGTH) - bytes));
        wire.putShort(UDP_PORT, ByteBuffer.wrap(frame).getShort(SHIM + 2));
        return shorter;
    }

    /** The frames of a pcap or pcapng file, as far as they are in it. */
    public static List<byte[]> frames(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> frames = new ArrayList<>();
        if (bytes.getInt(0) == PCAPNG) {
            for (int at = 0; at < bytes.limit(); at += bytes.getInt(at + 4)) {
                if (bytes.getInt(at) == ENHANCED_PACKET) {
                    frames.add(copy(bytes, at + 28, bytes.getInt(at + 20)));
                }
            }
            return frames;
        }
        int at = 24;
        while (at + 16 <= bytes.limit() && at + 16 + bytes.getInt(at + 8) <= bytes.limit()) {
            frames.add(copy(bytes, at + 16, bytes.getInt(at + 8)));
            at += 16 + bytes.getInt(at + 8);
        }
        return frames;
    }

    private static byte[] copy(ByteBuffer from, int at, int bytes) {
        byte[] copy = new byte[bytes];
        from.get(at, copy);
        return copy;
    }
}
