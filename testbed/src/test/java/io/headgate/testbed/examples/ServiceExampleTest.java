package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service of the switch comes in a jar. */
class ServiceExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("service");

    @Test
    void aServiceOfAJarAsksAndAnswersInVirtualTime() throws Exception {
        Ended run =
                JARS.bash(
                        """
                        path=$("$HEADGATE" class-path)
                        "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \\
                            --enable-native-access=ALL-UNNAMED -cp "$path:$1:jars/probe.jar" \\
                            io.headgate.testbed.examples.ProbesInVirtualTime
                        """,
                        Path.of("target/test-classes").toAbsolutePath().toString());
        // Each asks its two ports at 0, 1, … 10 ms; hosts do not answer.
        assertThat(run.said())
                .contains("s1 probe.asked 22\n", "s1 probe.answered 11\n", "s1 probe.heard 11\n")
                .contains("s2 probe.asked 22\n", "s2 probe.answered 11\n", "s2 probe.heard 11\n")
                .contains("s1 probe.failures 0\n");
        assertThat(run.code()).isZero();
    }

    @Test
    void aServiceOfAJarAnswersFramesThatADeviceBrings() throws Exception {
        JARS.capture("questions.pcap", "0180c200000e020000000001" + "9000", 5, 60);
        Ended run =
                JARS.atSwitch(
                        """
                        services: {probe: {every: 3600s}}
                        ports:
                          - {name: p1, device: {pcap-file: {input: questions.pcap, output: answers.pcap}}}
                        """,
                        """
                        for try in $(seq 30); do
                            said=$("$HEADGATE" show counters --switch $NAME)
                            [[ ! $said =~ probe.answered\\ +5 ]] || break
                        done
                        echo "$said"
                        """);
        assertThat(run.said()).containsPattern("probe.answered +5 +frames +answers sent");
        byte[] answers = Files.readAllBytes(JARS.directory().resolve("answers.pcap"));
        assertThat(HexFormat.of().formatHex(answers)).contains("9000" + "01" + "00".repeat(45));
        Ended wrong =
                JARS.bash(
                        """
                        echo "{name: p, services: {probe: {every: 3601s}}, ports: []}" >probe.yaml
                        "$HEADGATE" --plugins jars switch run -c probe.yaml
                        """);
        assertThat(wrong.said()).contains("services.probe.every: found \"3601s\"; allowed: a time");
        assertThat(wrong.code()).isEqualTo(2);
    }
}
