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
        Object counted = HeadgateHere.withExamples().call(ProbesInVirtualTime.class, "counted");
        // Each asks its two ports at 0, 1, … 10 ms; hosts do not answer.
        assertThat(counted.toString())
                .contains("s1 probe.asked 22\n", "s1 probe.answered 11\n", "s1 probe.heard 11\n")
                .contains("s2 probe.asked 22\n", "s2 probe.answered 11\n", "s2 probe.heard 11\n")
                .contains("s1 probe.failures 0\n");
    }

    @Test
    void aServiceOfAJarAnswersFramesThatADeviceBrings() throws Exception {
        JARS.capture("questions.pcap", "0180c200000e020000000001" + "9000", 5, 60);
        Ended run =
                JARS.atSwitchHere(
                        """
                        services: {probe: {every: 3600s}}
                        ports:
                          - {name: p1, device: {pcap-file: {input: %1$s/questions.pcap, output: %1$s/answers.pcap}}}
                        """
                                .formatted(JARS.directory()),
                        name ->
                                ExampleJars.until(
                                        "probe.answered +5 ",
                                        "show",
                                        "counters",
                                        "--switch",
                                        name));
        assertThat(run.said()).containsPattern("probe.answered +5 +frames +answers sent");
        byte[] answers = Files.readAllBytes(JARS.directory().resolve("answers.pcap"));
        assertThat(HexFormat.of().formatHex(answers)).contains("9000" + "01" + "00".repeat(45));
        Path file = JARS.write("p.yaml", "{name: p, services: {probe: {every: 3601s}}, ports: []}");
        Ended wrong = ExampleJars.headgate("switch", "run", "-c", file.toString());
        assertThat(wrong.said()).contains("services.probe.every: found \"3601s\"; allowed: a time");
        assertThat(wrong.code()).isEqualTo(2);
    }
}
