package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kind of device comes in a jar. */
class DeviceExampleTest {
    private static final String INJECTED = "FAULT_INJECTED +[1-9][0-9]";
    private static final String TRANSMITTED = "\"out\",.*\"transmittedFrames\":[1-9][0-9]{2}";

    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("device");

    /** With a worker for each half: its receive side and its transmit side are two threads'. */
    @Test
    void aDeviceOfAJarReceivesTransmitsAndHasFaults() throws Exception {
        String often = "{repeat: {frame: ffffffffffff0200000000011234, every: 100us}";
        Ended shown =
                JARS.atSwitchHere(
                        """
                        workers: {layout: per-half}
                        ports:
                          - {name: in, device: %s, faults: {loss: 0.5}}}
                          - {name: out, device: {repeat: {frame: 0180c200000e0200000000021234}}}
                        """
                                .formatted(often),
                        name -> {
                            Ended ports =
                                    ExampleJars.until(
                                            TRANSMITTED,
                                            "show",
                                            "ports",
                                            "--switch",
                                            name,
                                            "--json");
                            // A device is asked for its drops in its turn.
                            Ended drops =
                                    ExampleJars.until(
                                            INJECTED, "show", "drops", "in", "--switch", name);
                            return new Ended(drops.code(), ports.said() + drops.said());
                        });
        assertThat(shown.said()).containsPattern(TRANSMITTED).containsPattern(INJECTED);
        assertThat(shown.code()).isZero();
        Path file = JARS.write("d.yaml", "{name: d, ports: [{name: p1, device: " + often + "}}]}");
        Ended without = ExampleJars.without("switch", "run", "-c", file.toString());
        assertThat(without.said().replaceAll("\\s+", " "))
                .contains(
                        "ports[0].device.repeat: found the unknown kind of device \"repeat\";"
                                + " allowed: afpacket, afxdp, memory, pcap, pcap-file, tap,"
                                + " virtual, vxlan, faults; those of a jar need --plugins"
                                + " DIR");
        assertThat(without.code()).isEqualTo(2);
    }
}
