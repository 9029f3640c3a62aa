package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A link protocol comes in a jar. */
class LinkProtocolExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("link-control");

    @Test
    void aTokenOfAJarThatComesByOnePortLeavesByAnother() throws Exception {
        Path file = ExampleJars.file("link-control/token.yaml");
        Ended run = JARS.reproduce(file, "tokens");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Path toOther = JARS.changed(file, text -> text.replace("to: 0}", "to: 1}"));
        Ended elsewhere = JARS.reproduce(toOther, "elsewhere");
        assertThat(elsewhere.said()).contains("FAIL  last of s1/p1 token.forwarded");
        assertThat(elsewhere.code()).isEqualTo(1);
        Ended without = ExampleJars.without("reproduce", file.toString());
        assertThat(without.said().replaceAll("\\s+", " "))
                .contains(
                        "link-control.token: found the unknown mechanism \"token\"; allowed: gfc,"
                                + " hold, pauses; those of a jar need --plugins DIR");
        Path often = JARS.changed(file, text -> text.replace("every: 100us", "every: 100ns"));
        Ended wrong = JARS.reproduce(often, "wrong");
        assertThat(wrong.said()).contains("link-control.token.every: found \"100ns\"; allowed");
        assertThat(wrong.code()).isEqualTo(2);
    }

    @Test
    @Tag("netns")
    void aTokenOfAJarLeavesByAnotherPortOnRealFramesToo() throws Exception {
        Path file = ExampleJars.file("link-control/token.yaml");
        Ended run = JARS.reproduce(file, "real", "--bed", "netns");
        Map<String, Double> last = JARS.lastOfSeries("real", " token.");
        assertThat(last).as(run.said()).hasSize(5).containsEntry("counter s1/p2 token.ended", 0.0);
        double relayed =
                last.getOrDefault("counter s1/p2 token.relayed", 0.0)
                        + last.getOrDefault("counter s1/p3 token.relayed", 0.0);
        // How many come in time depends on the machine; none is made up, and few are on their way.
        assertThat(relayed).isPositive();
        assertThat(last.get("counter s1/p1 token.forwarded")).isBetween(1.0, relayed + 10);
    }

    @Test
    void whatALinkProtocolOfAJarCountsIsShown() throws Exception {
        Ended shown =
                JARS.atSwitch(
                        """
                        ports:
                          - {name: p1, device: {pcap-file: {output: sent1.pcap}}, link-control: {token: {}}}
                          - {name: p2, device: {pcap-file: {output: sent2.pcap}}}
                        """,
                        name -> {
                            Ended table =
                                    ExampleJars.headgate("show", "link-control", "--switch", name);
                            assertThat(table.code()).isZero();
                            Ended json =
                                    ExampleJars.headgate(
                                            "show", "link-control", "--switch", name, "--json");
                            return new Ended(json.code(), table.said() + json.said());
                        });
        assertThat(shown.said())
                .containsPattern("counted +p1 +what\\n")
                .containsPattern("relayed +0 +tokens for another port")
                .containsPattern("forwarded +0 +tokens of other ports")
                .contains(
                        "{\"link-control\":[{\"mechanism\":\"token\",\"port\":\"p1\",\"counts\":"
                                + "{\"ended\":0,\"relayed\":0,\"forwarded\":0}}]}");
        assertThat(shown.code()).isZero();
    }
}
