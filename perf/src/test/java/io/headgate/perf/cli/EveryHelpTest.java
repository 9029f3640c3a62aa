package io.headgate.perf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.HelpForTests;
import org.junit.jupiter.api.Test;

/** Here all commands are on the class path, as the program has them. */
class EveryHelpTest {
    @Test
    void everyLineOfHelpCanBeFormattedAndFitsTheTerminal() {
        assertThat(HelpForTests.check())
                .hasSizeGreaterThan(50)
                .contains("headgate reproduce merge", "headgate lab", "headgate bench forwarding");
    }
}
