package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.PFC;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.frame.PauseFrame;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Link control that a port cannot use: of the other kind, unreadable, or damaged. */
final class LinkControlTest {
    @Test
    void pauseOnALinkWithCreditsIsCountedAsForeign() {
        TestSwitch test = lossless(2, "flow-control: credits");
        test.hosts.get(0).inject(new PauseFrame(SENDER, 100).encode());
        test.run(5_000);
        assertThat(test.value("p0", "link.control.mismatches")).isEqualTo(1);
        assertThat(test.value("p0", "link.control.ignored")).isZero();
    }

    @Test
    void linkControlThatCannotBeReadIsCounted() {
        TestSwitch test = lossless(2, PFC);
        byte[] unknown = new PauseFrame(SENDER, 100).encode();
        unknown[15] = 0x77;
        test.hosts.get(0).inject(unknown);
        test.run(5_000);
        assertThat(test.value("p0", "link.control.ignored")).isEqualTo(1);
        test = lossless(2, "flow-control: credits");
        test.hosts.get(0).inject(control(0x0180_C200_0001L, 0x88B5)); // no FCPs
        test.run(5_000);
        assertThat(test.value("p0", "link.control.ignored")).isEqualTo(1);
        assertThat(test.value("p0", "link.control.mismatches")).isZero();
    }

    private static byte[] control(long destination, int etherType) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) 0x0200).putInt(0x100).putShort((short) etherType);
        return frame.array();
    }

    @Test
    void damagedLinkControlIsNeitherCountedAsDataNorGivenRoom() {
        String priorities = "lossless: [0], flow-control: credits";
        TestSwitch test = lossless(2, priorities);
        CreditReceiver credits =
                Objects.requireNonNull(
                        Objects.requireNonNull(test.engine.ingress(0).flow()).credits());
        int grant = credits.grant(0);
        test.hosts.get(0).inject(control(0x0080_C200_0001L, 0x88B5));
        test.hosts.get(0).inject(control(0x0180_C200_0001L, 0x88B4));
        test.hosts.get(0).inject(control(0x0180_C200_8001L, 0x8808));
        test.run(5_000);
        assertThat(test.drops("p0", DropReason.LINK_CONTROL_MALFORMED)).isEqualTo(1);
        assertThat(test.drops("p0", DropReason.LINK_CONTROL_MISADDRESSED)).isEqualTo(2);
        assertThat(credits.grant(0)).isEqualTo(grant);
        assertThat(test.totalDrops()).isEqualTo(3);
        assertThat(test.engine.ingress(0).accounts().totalBytes()).isZero();
    }
}
