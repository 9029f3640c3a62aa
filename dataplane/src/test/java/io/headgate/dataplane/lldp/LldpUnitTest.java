package io.headgate.dataplane.lldp;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.TrafficConfig;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LldpUnitTest {
    private static final List<Integer> STRICT = Collections.nCopies(8, TrafficConfig.STRICT);
    private static final String CHASSIS = "0207" + "04" + "020000000051";
    private static final String PORT = "0405" + "05" + "65746837";
    private static final String LIVE = "0602" + "0078";
    private static final String NAME = "0a06" + "6c6561662d37";
    private static final String END = "0000";

    private static final byte[] OURS =
            LldpUnit.write(0x02_1234_5678_00L, "p1", 120, "s1", 0x18, STRICT);

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
                                "192.0.2.1",
                                "02:00:00:00:00:01",
                                0,
                                "\\u{1b}[",
                                LldpUnit.NOT_SAID));
    }

    @Test
    void sharesOfPrioritiesWithWeightsAreSaid() {
        byte[] unit =
                LldpUnit.write(
                        0x02_1234_5678_00L, "p1", 120, "s1", 0, List.of(1, 1, 1, 4, 1, 1, 0, 0));
        assertThat(HexFormat.of().formatHex(unit))
                .endsWith(
                        "fe19"
                                + "0080c2"
                                + "09"
                                + "00" // not willing, eight classes
                                + "01234567" // each priority its own
                                + "0b0b0b2d0b0b0000" // 11, 45, strict ones none: 100 in all
                                + "0202020202020000" // ETS, strict
                                + "0000");
    }

    @Test
    void percentsAre100InAllAndNoneIsNothing() {
        assertThat(LldpUnit.percents(List.of(1, 1, 1, 0, 0, 0, 0, 0)))
                .containsExactly(34, 33, 33, 0, 0, 0, 0, 0);
        assertThat(LldpUnit.percents(List.of(100, 1, 1, 1, 1, 1, 1, 1)))
                .containsExactly(93, 1, 1, 1, 1, 1, 1, 1);
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            List<Integer> weights = random.ints(8, 0, 101).boxed().toList();
            int[] percents = LldpUnit.percents(weights);
            assertThat(Arrays.stream(percents).sum()).as("%s", weights).isEqualTo(100);
            for (int at = 0; at < 8; at++) {
                assertThat(percents[at] > 0).isEqualTo(weights.get(at) > 0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "4cc3bc6e, Lün", // UTF-8
        "4769312f302f3100, Gi1/0/1", // some count the zero behind a C string
        "4769310000, Gi1",
        "41004200, A\\u{0}B",
        "61e280ae62, a\\u{202e}b", // would turn the rest of the line
        "61ff62, 61ff62", // no UTF-8
        "0000, 0000"
    })
    void namesAreReadAsTheTextThatTheyAre(String hex, String shown) {
        String unit =
                CHASSIS
                        + PORT
                        + LIVE
                        + HexFormat.of().toHexDigits((short) (5 << 9 | hex.length() / 2));
        LldpUnit read = LldpUnit.parse(HexFormat.of().parseHex(unit + hex + END));
        assertThat(read).isNotNull();
        assertThat(read.systemName()).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                END,
                CHASSIS + PORT + END, // no time to live
                PORT + CHASSIS + LIVE + END, // out of order
                CHASSIS + CHASSIS + PORT + LIVE + END,
                CHASSIS + PORT + LIVE + PORT + END, // said twice
                CHASSIS + PORT + LIVE + NAME + "cafebabe", // a length beyond the end
                CHASSIS + PORT + LIVE + NAME + "0a", // half a head
                CHASSIS + PORT + LIVE + "0001" + "00", // an end with content
                "0201" + "04" + PORT + LIVE + END, // a chassis without a name
                CHASSIS + PORT + "0601" + "78" + END
            })
    void whatDoesNotHoldTogetherIsNoUnit(String hex) {
        assertThat(LldpUnit.parse(HexFormat.of().parseHex(hex))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", END, END + "cafebabe"})
    void whatIsBehindItsEndDoesNotMatter(String end) {
        String unit = CHASSIS + PORT + LIVE + NAME + end;
        assertThat(LldpUnit.parse(HexFormat.of().parseHex(unit)))
                .isEqualTo(new LldpUnit("02:00:00:00:00:51", "eth7", 120, "leaf-7", -1));
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
