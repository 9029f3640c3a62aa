package io.headgate.testbed.virtual.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.topology.FrameKind;
import org.junit.jupiter.api.Test;

class FrameKindTest {
    @Test
    void creditFramesAreLinkControlAndDataOfTheSameTypeIsNot() {
        FrameRegion region = new FrameRegion(1, 512);
        Frame frame = region.frame(0);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.storedBytes = 60;
        Ethernet.etherType(FrameRegion.MEMORY, frame.dataOffset, EtherType.LINK_CONTROL);
        Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset, 0x0180_C200_0001L);
        assertThat(FrameKind.LINK_CONTROL.covers(frame)).isTrue();
        assertThat(FrameKind.DATA.covers(frame)).isFalse();
        Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset, 0x0200_0000_0001L);
        assertThat(FrameKind.LINK_CONTROL.covers(frame)).isFalse();
        assertThat(FrameKind.DATA.covers(frame)).isTrue();
    }
}
