package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page has the table of all cases; {@code -Dheadgate.rewrite=true} writes it. */
class ConformancePageTest {
    private static final Path PAGE = Path.of("conformance.md");
    private static final String BEGIN = "<!-- cases: made by ConformancePageTest -->\n";
    private static final String END = "<!-- end of cases -->";

    @Test
    void thePageHasAllCases() throws Exception {
        StringBuilder table = new StringBuilder("| case | must be seen | source | |\n|-|-|-|-|\n");
        for (ConformanceCase one : ConformanceCase.all()) {
            About about = one.scenario().about();
            table.append(
                    "| %s %s | %s | %s | %s |%n"
                            .formatted(
                                    one.label(),
                                    about.title(),
                                    about.claim().strip(),
                                    about.source(),
                                    about.beds().contains(BedKind.NETNS) ? "real" : ""));
        }
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        String wanted = page.substring(0, from) + table + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.writeString(PAGE, wanted);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(wanted);
    }
}
