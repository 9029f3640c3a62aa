package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kind of device comes in a jar. */
class DeviceExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("device");

    /** With a worker for each half: its receive side and its transmit side are two threads'. */
    @Test
    void aDeviceOfAJarReceivesTransmitsAndHasFaults() throws Exception {
        String often = "{repeat: {frame: ffffffffffff0200000000011234, every: 100us}";
        Ended shown =
                JARS.atSwitch(
                        """
                        workers: {layout: per-half}
                        ports:
                          - {name: in, device: %s, faults: {loss: 0.5}}}
                          - {name: out, device: {repeat: {frame: 0180c200000e0200000000021234}}}
                        """
                                .formatted(often),
                        """
                        want='"out",.*"transmittedFrames":[1-9][0-9]{2}'
                        for try in $(seq 30); do
                            said=$("$HEADGATE" show ports --switch $NAME --json)
                            [[ ! $said =~ $want ]] || break
                        done
                        echo "$said"
                        "$HEADGATE" show drops in --switch $NAME
                        """);
        assertThat(shown.said())
                .containsPattern("\"out\",.*\"transmittedFrames\":[1-9][0-9]{2}")
                .containsPattern("FAULT_INJECTED +[1-9][0-9]");
        assertThat(shown.code()).isZero();
        Ended without =
                JARS.bash(
                        """
                        echo "{name: d, ports: [{name: p1, device: $1}]}" >device.yaml
                        "$HEADGATE" switch run -c device.yaml
                        """,
                        often + "}");
        assertThat(without.said().replaceAll("\\s+", " "))
                .contains(
                        "ports[0].device.repeat: found the unknown kind of device \"repeat\";"
                                + " allowed: afpacket, afxdp, memory, pcap, pcap-file, tap,"
                                + " virtual, vxlan, faults; those of a jar come with --plugins DIR");
        assertThat(without.code()).isEqualTo(2);
    }
}
