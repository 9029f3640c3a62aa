package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HeaderParserTest {
    private static final String MACS = "0200000000aa 0200000000bb";
    private static final String IPV4_UDP =
            "45000024 00014000 40110000 0a000001 0a000002"
                    + "c00012b7 00100000"
                    + "0011223344556677";
    private static final String IPV6_START = "60000000 0010 11 40";
    private static final String IPV6_ADDRESSES =
            "20010db8000000000000000000000001 20010db8000000000000000000000002";

    private FrameRegion region = new FrameRegion(1, 2048);

    @Test
    void findsHeadersOfAnUntaggedFrame() {
        Frame frame = accepted(MACS + "0800" + IPV4_UDP);
        assertThat(frame.tagged).isFalse();
        assertThat(frame.vlan).isZero();
        assertThat(frame.priority).isZero();
        assertFound(frame, 12, 0x0800, 14, 34);
    }

    @Test
    void takesVlanAndPriorityFromTheOuterOfTwoTags() {
        Frame frame = accepted(MACS + "8100 a064" + "8100 6007" + "0800" + IPV4_UDP);
        assertThat(frame.tagged).isTrue();
        assertThat(frame.vlan).isEqualTo(100);
        assertThat(frame.priority).isEqualTo(5);
        assertFound(frame, 20, 0x0800, 22, 42);
    }

    @Test
    void takesAProvidersTagForATypeAndLooksAtNothingBehindIt() {
        Frame frame = accepted(MACS + "88a8 a064" + "8100 6007" + "0800" + IPV4_UDP);
        assertThat(frame.tagged).isFalse();
        assertThat(frame.vlan).isZero();
        assertThat(frame.priority).isZero();
        assertFound(frame, 12, 0x88A8, Frame.ABSENT, Frame.ABSENT);
        frame = accepted(MACS + "8100 a064" + "88a8 6007" + "0800" + IPV4_UDP);
        assertThat(frame.vlan).isEqualTo(100);
        assertFound(frame, 16, 0x88A8, Frame.ABSENT, Frame.ABSENT);
        assertThat(parse(MACS + "88a8 ffff")).isNull();
        assertThat(parse(MACS + "88a8")).isNull();
    }

    @Test
    void leavesTheThirdTagAsTheType() {
        Frame frame = accepted(MACS + "81000001" + "81000002" + "81000003" + "0800" + IPV4_UDP);
        assertFound(frame, 20, 0x8100, Frame.ABSENT, Frame.ABSENT);
    }

    @Test
    void refusesRuntsAndUnsoundOuterTags() {
        assertThat(parse("")).isEqualTo(DropReason.RUNT);
        assertThat(parse(MACS + "08")).isEqualTo(DropReason.RUNT);
        assertThat(parse(MACS + "0800")).isNull();
        assertThat(parse(MACS + "8100")).isEqualTo(DropReason.MALFORMED_TAG);
        assertThat(parse(MACS + "8100 0001 08")).isEqualTo(DropReason.MALFORMED_TAG);
        assertThat(parse(MACS + "8100 0001 0800")).isNull();
        assertThat(parse(MACS + "8100 efff 0800")).isEqualTo(DropReason.MALFORMED_TAG);
    }

    @Test
    void forwardsWhatAnInnerTagOrAnIpHeaderGetsWrong() {
        assertFound(accepted(MACS + "81000001 8100 00"), 16, 0x8100, -1, -1);
        assertFound(accepted(MACS + "81000001 8100 0fff 0800"), 20, 0x0800, -1, -1);
        assertFound(accepted(MACS + "0800 45"), 12, 0x0800, -1, -1);
        String ihlFour = IPV4_UDP.replaceFirst("45", "44");
        assertFound(accepted(MACS + "0800" + ihlFour), 12, 0x0800, -1, -1);
        String versionSix = IPV4_UDP.replaceFirst("45", "65");
        assertFound(accepted(MACS + "0800" + versionSix), 12, 0x0800, -1, -1);
        String tooLong = IPV4_UDP.replaceFirst("0024", "0025");
        assertFound(accepted(MACS + "0800" + tooLong), 12, 0x0800, -1, -1);
        String shorterThanItsHeader = IPV4_UDP.replaceFirst("0024", "0013");
        assertFound(accepted(MACS + "0800" + shorterThanItsHeader), 12, 0x0800, -1, -1);
    }

    @Test
    void findsNoTransportInLaterFragmentsNorBehindTheIpLength() {
        String first = IPV4_UDP.replaceFirst("4000", "2000");
        assertFound(accepted(MACS + "0800" + first), 12, 0x0800, 14, 34);
        String later = IPV4_UDP.replaceFirst("4000", "0001");
        assertFound(accepted(MACS + "0800" + later), 12, 0x0800, 14, -1);
        String cut = IPV4_UDP.replaceFirst("0024", "001b");
        assertFound(accepted(MACS + "0800" + cut), 12, 0x0800, 14, -1);
    }

    @Test
    void walksIpv6ExtensionHeaders() {
        String udp = "c00012b7 00100000 0011223344556677";
        String plain = IPV6_START + IPV6_ADDRESSES + udp;
        assertFound(accepted(MACS + "86dd" + plain), 12, 0x86DD, 14, 54);

        String hopByHop = "60000000 0020 00 40" + IPV6_ADDRESSES + "1101" + "00".repeat(14) + udp;
        assertFound(accepted(MACS + "86dd" + hopByHop), 12, 0x86DD, 14, 70);

        String later = "60000000 0018 2c 40" + IPV6_ADDRESSES + "1100000900000001" + udp;
        assertFound(accepted(MACS + "86dd" + later), 12, 0x86DD, 14, -1);

        String beyond = "60000000 0010 3c 40" + IPV6_ADDRESSES + "11ff" + "00".repeat(14);
        assertFound(accepted(MACS + "86dd" + beyond), 12, 0x86DD, 14, -1);

        String five = "60000000 0038 00 40" + IPV6_ADDRESSES + ("3c00" + "00".repeat(6)).repeat(4);
        assertFound(accepted(MACS + "86dd" + five + "1100000000000000" + udp), 12, 0x86DD, 14, -1);
    }

    @Test
    void readsOnlyWhatIsStoredOfAFrameWithElidedPayload() {
        Frame frame = Frames.fill(region, bytes(MACS + "0800" + IPV4_UDP));
        frame.storedBytes = 42;
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        assertFound(frame, 12, 0x0800, 14, 34);
        frame.storedBytes = 41;
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        assertFound(frame, 12, 0x0800, 14, -1);
        frame.storedBytes = 33;
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        assertFound(frame, 12, 0x0800, -1, -1);
    }

    private Frame accepted(String hex) {
        assertThat(parse(hex)).isNull();
        return region.frame(0);
    }

    private @Nullable DropReason parse(String hex) {
        // Stale fields must not survive a parse.
        Frame frame = Frames.fill(region, bytes(hex));
        frame.ipOffset = 99;
        frame.transportOffset = 99;
        frame.vlan = 99;
        frame.priority = 7;
        frame.tagged = true;
        return HeaderParser.parse(region.segment(), frame);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static void assertFound(
            Frame frame, int etherTypeOffset, int etherType, int ipOffset, int transportOffset) {
        assertThat(
                        new int[] {
                            frame.etherTypeOffset,
                            frame.etherType,
                            frame.ipOffset,
                            frame.transportOffset
                        })
                .containsExactly(etherTypeOffset, etherType, ipOffset, transportOffset);
    }
}
