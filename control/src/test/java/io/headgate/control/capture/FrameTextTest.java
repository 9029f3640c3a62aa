package io.headgate.control.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameTextTest {
    private static final String PFC_3 =
            "0180c2000001020000000001880801010008000000000000ffff000000000000000000000000000000000000"
                    + "00000000000000000000000000000000";
    private static final String UDP_DSCP_26 =
            "02000000000202000000000108004569001c000040004011"
                    + "00000a0000010a00000203e807d000080000";
    private static final String SYN_IN_VLAN_7 =
            "020000000002020000000001810060070800450000280000400040060000"
                    + "0a0000010a0000021451c00000000005000000065012ffff00000000";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                PFC_3 + " | PFC priority 3 pause for 65535 quanta",
                CaptureFilterTest.PAUSE + " | PAUSE pause for 5 quanta",
                CaptureFilterTest.ARP + " | ARP: who has 10.0.0.9, tell 10.0.0.1",
                UDP_DSCP_26 + " | IP 10.0.0.1.1000 > 10.0.0.2.2000: UDP, length 0, dscp 26, ect1",
                SYN_IN_VLAN_7
                        + " | vlan 7 pcp 3, IP 10.0.0.1.5201 > 10.0.0.2.49152: TCP [S.], seq 5"
            })
    void saysWhatAFrameIs(String hex, String expected) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(FrameText.describe(bytes, bytes.length))
                .contains(expected)
                .endsWith(", " + bytes.length + " bytes");
    }

    @Test
    void anyBytesAreDescribed() {
        SplittableRandom random = new SplittableRandom(4711);
        String[] seeds = {PFC_3, UDP_DSCP_26, SYN_IN_VLAN_7, CaptureFilterTest.ARP};
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = HexFormat.of().parseHex(seeds[random.nextInt(seeds.length)]);
            for (int flips = random.nextInt(6); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            assertThat(FrameText.describe(cut, bytes.length)).endsWith(" bytes");
        }
    }
}
