package io.headgate.dataplane.lldp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LldpUnitTest {
    private static final byte[] OURS = LldpUnit.write(0x02_1234_5678_00L, "p1", 120, "s1", 0x18);

    @Test
    void isLaidOutAsTheStandardHasIt() {
        assertThat(HexFormat.of().formatHex(OURS))
                .isEqualTo(
                        "0207"
                                + "04"
                                + "021234567800" // chassis: MAC address
                                + "0403"
                                + "05"
                                + "7031" // port: interface name
                                + "0602"
                                + "0078" // 120 s
                                + "0a02"
                                + "7331" // system name
                                + "fe06"
                                + "0080c2"
                                + "0b"
                                + "08"
                                + "18" // PFC of DCBX
                                + "0000");
    }

    @Test
    void isReadAsWritten() {
        assertThat(LldpUnit.parse(OURS))
                .isEqualTo(new LldpUnit("02:12:34:56:78:00", "p1", 120, "s1", 0x18));
    }

    @Test
    void whatIsUnknownIsPassedOverAndAddressesAreShownAsSuch() {
        byte[] other =
                HexFormat.of()
                        .parseHex(
                                "0206"
                                        + "05"
                                        + "01c0000201" // chassis: IPv4 address
                                        + "0407"
                                        + "03"
                                        + "020000000001" // port: MAC address
                                        + "0602"
                                        + "0000"
                                        + "0803"
                                        + "616263" // port description
                                        + "fe05"
                                        + "00120f"
                                        + "0100" // of IEEE 802.3
                                        + "0a02"
                                        + "1b5b" // a name that would move the cursor
                                        + "0000");
        assertThat(LldpUnit.parse(other))
                .isEqualTo(
                        new LldpUnit(
                                "192.0.2.1", "02:00:00:00:00:01", 0, "1b5b", LldpUnit.NOT_SAID));
    }

    @Test
    void whatIsCutShortOrMadeUpIsNeverReadBeyondItsEnd() {
        for (int length = 0; length < OURS.length - 2; length++) {
            LldpUnit cut = LldpUnit.parse(Arrays.copyOf(OURS, length));
            assertThat(cut == null || cut.timeToLiveSeconds() == 120).isTrue();
        }
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            byte[] noise = OURS.clone();
            for (int at = random.nextInt(4); at >= 0; at--) {
                noise[random.nextInt(noise.length)] = (byte) random.nextInt();
            }
            LldpUnit read = LldpUnit.parse(noise);
            assertThat(read == null || read.port().length() < 600).isTrue();
        }
    }
}
