package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Credit frames to the bit, and bytes that are not credit frames. */
final class CreditControlTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final long SOURCE = 0x0200_0000_0001L;

    /** The CRC as a shift register, a bit at a time, as the standard draws it. */
    private static int crcByBits(byte[] bytes) {
        int crc = 0xFFFF;
        for (byte value : bytes) {
            for (int bit = 0; bit < 8; bit++) {
                int feedback = (crc ^ (value >> bit)) & 1;
                crc = (crc >>> 1) ^ (feedback == 1 ? 0xD008 : 0);
            }
        }
        return ~crc & 0xFFFF;
    }

    private static String fcp(int op, int fctbs, int lane, int fccl) {
        MemorySegment segment = MemorySegment.ofArray(new byte[64]);
        CreditControl.writeFcp(segment, 0, 0, op, fctbs, lane, fccl);
        byte[] bytes = segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return HexFormat.of().formatHex(bytes, 22, 28);
    }

    @Test
    void fcpsHaveTheBytesAndCrcsOfTheVectors() {
        assertThat(fcp(0, 0x123, 3, 0x456)).isEqualTo("01233456d19f");
        assertThat(fcp(1, 0x000, 3, 0x080)).isEqualTo("100030809df9");
    }

    @Test
    void crcIsThatOfTheShiftRegister() {
        Random random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            int word = random.nextInt();
            byte[] bytes = {
                (byte) (word >> 24), (byte) (word >> 16), (byte) (word >> 8), (byte) word
            };
            assertThat(CreditControl.crc(word)).isEqualTo(crcByBits(bytes));
        }
    }

    @Test
    void frameIsLaidOutByteForByte() {
        CreditFrame frame =
                new CreditFrame(
                        SOURCE,
                        2,
                        true,
                        0x01020304,
                        null,
                        List.of(new CreditFrame.Fcp(3, 0x123, 0x456)));
        assertThat(HexFormat.of().formatHex(frame.encode()))
                .isEqualTo(
                        "0180c2000001"
                                + "020000000001"
                                + "88b5"
                                + "11"
                                + "01"
                                + "02"
                                + "01"
                                + "01020304"
                                + "01233456d19f"
                                + "00".repeat(32));
        assertThat(frame.encode()).hasSize(60);
    }

    @Test
    void initialisingFrameCarriesTheDigestBehindItsFcps() {
        List<CreditFrame.Fcp> eight = new ArrayList<>();
        for (int lane = 0; lane < 8; lane++) {
            eight.add(new CreditFrame.Fcp(lane, lane, 4095 - lane));
        }
        CreditFrame frame = new CreditFrame(SOURCE, 7, false, -1, 0x1122334455667788L, eight);
        byte[] bytes = frame.encode();
        assertThat(bytes).hasSize(22 + 8 * 6 + 8);
        assertThat(HexFormat.of().formatHex(bytes, 70, 78)).isEqualTo("1122334455667788");
        assertThat(CreditFrame.parse(bytes)).isEqualTo(frame);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            List<CreditFrame.Fcp> fcps = new ArrayList<>();
            for (int n = 1 + random.nextInt(15); n > 0; n--) {
                fcps.add(
                        new CreditFrame.Fcp(
                                random.nextInt(16), random.nextInt(4096), random.nextInt(4096)));
            }
            CreditFrame frame =
                    new CreditFrame(
                            SOURCE,
                            random.nextInt(8),
                            random.nextBoolean(),
                            random.nextInt(),
                            random.nextBoolean() ? random.nextLong() : null,
                            fcps);
            assertThat(CreditFrame.parse(frame.encode())).as("seed %d", SEED).isEqualTo(frame);
        }
    }

    @Test
    void frameCutShortIsNone() {
        CreditFrame frame =
                new CreditFrame(SOURCE, 0, false, 0, 7L, List.of(new CreditFrame.Fcp(3, 0, 100)));
        byte[] bytes = frame.encode();
        for (int length = 0; length < 22 + 6 + 8; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThat(CreditControl.isValid(MemorySegment.ofArray(cut), 0, length)).isFalse();
        }
        assertThat(CreditFrame.parse(Arrays.copyOf(bytes, 36))).isEqualTo(frame);
    }

    @Test
    void everyFlippedBitOfAnFcpIsFound() {
        byte[] bytes =
                new CreditFrame(SOURCE, 0, false, 0, null, List.of(new CreditFrame.Fcp(3, 9, 100)))
                        .encode();
        for (int bit = 0; bit < 48; bit++) {
            byte[] flipped = bytes.clone();
            flipped[22 + bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(CreditControl.isFcpSound(MemorySegment.ofArray(flipped), 0, 0)).isFalse();
        }
    }

    @Test
    void whatIsWrongIsSaidInASentence() {
        assertThatThrownBy(() -> CreditFrame.parse(new byte[60])).hasMessageContaining("60 bytes");
        assertThatThrownBy(() -> new CreditFrame.Fcp(3, 4096, 0)).hasMessageContaining("4096");
        assertThatThrownBy(() -> new CreditFrame(SOURCE, 8, false, 0, null, List.of()))
                .hasMessageContaining("0 and 8");
        byte[] bytes =
                new CreditFrame(SOURCE, 0, false, 0, null, List.of(new CreditFrame.Fcp(3, 9, 100)))
                        .encode();
        bytes[27] ^= 1;
        assertThatThrownBy(() -> CreditFrame.parse(bytes)).hasMessageContaining("FCP 0");
    }

    @Test
    void anyBytesAreTakenWithoutHarm() {
        Random random = new Random(SEED);
        byte[] whole =
                new CreditFrame(SOURCE, 0, false, 0, 7L, List.of(new CreditFrame.Fcp(3, 9, 100)))
                        .encode();
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(130));
            for (int n = random.nextInt(4); n > 0 && bytes.length > 14; n--) {
                bytes[12 + random.nextInt(bytes.length - 12)] = (byte) random.nextInt();
            }
            try {
                assertThat(CreditFrame.parse(bytes).fcps()).isNotEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(".");
            }
        }
    }
}
