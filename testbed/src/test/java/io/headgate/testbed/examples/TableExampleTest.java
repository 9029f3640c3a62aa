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
                JARS.atSwitch(
                        """
                        ports:
                          - {name: in, device: {pcap-file: {input: ten.pcap}}}
                          - {name: out, device: {pcap-file: {output: out.pcap}}}
                        """,
                        """
                        for try in $(seq 30); do
                            json=$("$HEADGATE" --plugins jars show frame-sizes out --json --switch $NAME 2>&1) || true
                            [[ $json != *'"outFrames":10,'* ]] || break
                            sleep 0.1
                        done
                        echo "$json"
                        "$HEADGATE" --plugins jars show frame-sizes out --switch $NAME
                        ! "$HEADGATE" show frame-sizes --switch $NAME 2>&1
                        """);
        assertThat(shown.said())
                .contains(
                        "{\"frame-sizes\":[{\"port\":\"out\",\"inFrames\":0,\"inMeanBytes\":0.0,"
                                + "\"outFrames\":10,\"outMeanBytes\":100.0}]}")
                .containsPattern("out +0 +0\\.0 +10 +100\\.0\n")
                .contains("'frame-sizes' cannot be shown; allowed: ports");
        assertThat(shown.code()).isZero();
    }
}
