package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file may say of Escape. */
final class EscapeConfigTest {
    private static SwitchConfig read(String detour) {
        return SwitchConfigReader.read(
                """
                name: s1
                ports:
                  - {name: p1, device: {afpacket: v1}, flow-control: pfc, detour: %s}
                """
                        .formatted(detour),
                "f.yaml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{escape: {period: 20ms}} | escape.reclaim: found 10ms | which is 20ms",
                "{escape: {tokens: 0}} | escape.tokens: found 0 | from 1 to 64",
                "{escape: {peer: card}} | escape.peer: found \"card\" | switch or host",
                "{escapade: {}} | unknown mechanism \"escapade\" | escape",
            })
    void whatIsWrongIsToldWithWhatIsAllowed(String detour, String found, String allowed) {
        assertThatThrownBy(() -> read(detour))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ports[0].detour")
                .hasMessageContaining(found)
                .hasMessageContaining(allowed);
    }

    @Test
    void aPortRemembersAsManyFlowsAsItHasTokensUnlessItSaysAnother() {
        SwitchConfig config = read("{escape: {tokens: 7, enabled: false}}");
        EscapeConfig escape = config.ports().getFirst().mechanisms().get(EscapeConfig.class);
        assertThat(escape)
                .extracting(EscapeConfig::flows, EscapeConfig::pools)
                .containsExactly(7, 14);
        assertThat(read("{escape: {tokens: 7, flows: 9}}").ports().getFirst().mechanisms())
                .extracting(mechanisms -> mechanisms.get(EscapeConfig.class))
                .extracting(EscapeConfig::flows)
                .isEqualTo(9);
    }
}
