package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A table of {@code show} comes in a jar. */
class TableExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("table");

    @Test
    void aTableOfAJarShowsWhatASwitchCounts() throws Exception {
        JARS.capture("ten.pcap", "ffffffffffff020000000001" + "1234", 10, 100);
        Ended shown =
                JARS.atSwitchHere(
                        """
                        ports:
                          - {name: in, device: {pcap-file: {input: %1$s/ten.pcap}}}
                          - {name: out, device: {pcap-file: {output: %1$s/out.pcap}}}
                        """
                                .formatted(JARS.directory()),
                        name -> {
                            Ended json =
                                    ExampleJars.until(
                                            "\"outFrames\":10,",
                                            "show",
                                            "frame-sizes",
                                            "out",
                                            "--json",
                                            "--switch",
                                            name);
                            Ended table =
                                    ExampleJars.headgate(
                                            "show", "frame-sizes", "out", "--switch", name);
                            Ended without =
                                    ExampleJars.without("show", "frame-sizes", "--switch", name);
                            assertThat(without.code()).isEqualTo(2);
                            return new Ended(
                                    table.code(), json.said() + table.said() + without.said());
                        });
        assertThat(shown.said())
                .contains(
                        "{\"frame-sizes\":[{\"port\":\"out\",\"inFrames\":0,\"inMeanBytes\":0.0,"
                                + "\"outFrames\":10,\"outMeanBytes\":100.0}]}")
                .containsPattern("out +0 +0\\.0 +10 +100\\.0\n")
                .contains("'frame-sizes' cannot be shown; allowed: ports");
        assertThat(shown.code()).isZero();
    }
}
