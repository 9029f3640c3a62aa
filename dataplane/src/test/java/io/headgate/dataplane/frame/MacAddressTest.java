package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MacAddressTest {

    @Test
    void readsBothWaysOfWriting() {
        assertThat(MacAddress.parse("02:00:0a:Bc:00:2A")).isEqualTo(0x0200_0ABC_002AL);
        assertThat(MacAddress.parse("ff-ff-ff-ff-ff-ff")).isEqualTo(MacAddress.BROADCAST);
        assertThat(MacAddress.format(0x0200_0ABC_002AL)).isEqualTo("02:00:0a:bc:00:2a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02:00:00:00:00:2",
                "02:00:00:00:00:2aa",
                "02:00:00-00:00:2a",
                "02.00.00.00.00.2a",
                "02:00:00:00:00:2g",
                "0200:00:00:00:2a0",
                "02:00:00:00:00:٢a"
            })
    void refusesAnythingElseInOneSentence(String text) {
        assertThatThrownBy(() -> MacAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "'"
                                + text
                                + "' is not a MAC address; write six bytes in hexadecimal,"
                                + " such as 02:00:00:00:00:2a.");
    }

    @Test
    void knowsGroupsAndReservedAddresses() {
        assertThat(MacAddress.isGroup(MacAddress.BROADCAST)).isTrue();
        assertThat(MacAddress.isGroup(MacAddress.MAC_CONTROL)).isTrue();
        assertThat(MacAddress.isGroup(0x0200_0000_0001L)).isFalse();
        assertThat(MacAddress.isLinkLocalReserved(0x0180_C200_0000L)).isTrue();
        assertThat(MacAddress.isLinkLocalReserved(0x0180_C200_000FL)).isTrue();
        assertThat(MacAddress.isLinkLocalReserved(0x0180_C200_0010L)).isFalse();
        assertThat(MacAddress.isValidSource(0)).isFalse();
        assertThat(MacAddress.isValidSource(MacAddress.BROADCAST)).isFalse();
        assertThat(MacAddress.isValidSource(0x0200_0000_0001L)).isTrue();
    }
}
