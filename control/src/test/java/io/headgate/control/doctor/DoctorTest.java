package io.headgate.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import org.junit.jupiter.api.Test;

/** What interfaces are looked at for. */
final class DoctorTest {
    @Test
    void anInterfaceMustCarryWhatMechanismsAddToFrames() {
        String text =
                """
                name: s1
                ports:
                  - {name: p1, device: {afpacket: v1}}
                  - name: p2
                    device: {afpacket: v2}
                    flow-control: pfc
                    lossless: [3]
                    detour: {escape: {}}
                """;
        assertThat(Doctor.interfaces(SwitchConfigReader.read(text, "s1.yaml")))
                .extracting(Doctor.Interface::mtuBytes)
                .containsExactly(1500, 1504);
    }
}
