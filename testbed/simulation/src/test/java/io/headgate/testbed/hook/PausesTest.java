package io.headgate.testbed.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.sync.PortBoard;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When pauses are sent that were asked for. */
class PausesTest {
    private static final LinkSetup SETUP =
            new LinkSetup(
                    0,
                    1_000_000_000,
                    1500,
                    0,
                    0,
                    PresentTime.OF_THE_CALL,
                    LinkRelay.NONE,
                    PortBoard.NONE);

    private static LinkSender everyHundred() {
        PausesConfig.Train train =
                new PausesConfig.Train(
                        PausesConfig.Kind.PFC, List.of(3), 8, 65535, 100, 10, 0, 1_000_000, -1);
        return new Pauses().protocol(new PausesConfig(List.of(train)), SETUP).sender();
    }

    private static void send(LinkSender sender, long nowNs) {
        assertThat(sender.isDue(nowNs)).isTrue();
        sender.write(nowNs, MemorySegment.ofArray(new byte[MacControl.FRAME_BYTES]), 0, 1);
    }

    @Test
    void afterOneThatIsLateTheTrainIsOnTimeAgain() {
        LinkSender sender = everyHundred();
        assertThat(sender.deadlineNs()).isZero();
        send(sender, 30);
        assertThat(sender.deadlineNs()).isEqualTo(100);
        // By more than a period, and by just two: none is made up for, and no phase moves.
        send(sender, 250);
        assertThat(sender.deadlineNs()).isEqualTo(300);
        send(sender, 500);
        assertThat(sender.deadlineNs()).isEqualTo(600);
        assertThat(sender.counted(0)).isEqualTo(3);
    }
}
