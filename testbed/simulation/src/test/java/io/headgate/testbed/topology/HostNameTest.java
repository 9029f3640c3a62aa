package io.headgate.testbed.topology;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostNameTest {
    /** {@code from: all} means all hosts, and {@code ping 2} asks for the address 0.0.0.2. */
    @ParameterizedTest
    @ValueSource(strings = {"all", "2", "0x1f"})
    void hostsHaveNoNamesThatMeanSomethingElse(String name) {
        String hosts = "[{name: h1, at: s1}, {name: '" + name + "', at: s1}]";
        String text = "{name: t, switches: [s1], hosts: " + hosts + "}";
        assertThatThrownBy(() -> TopologyReader.read(text, "t.yaml"))
                .hasMessageContaining("found \"" + name + "\"")
                .hasMessageContaining("but not all and no number");
    }
}
