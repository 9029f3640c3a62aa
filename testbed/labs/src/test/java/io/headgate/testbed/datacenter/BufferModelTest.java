package io.headgate.testbed.datacenter;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig.Trust;
import io.headgate.testbed.datacenter.BufferModel.Bound;
import io.headgate.testbed.datacenter.BufferModel.Capacity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** By the defaults: queues of 500,000 bytes, accounts of 504 slots and 767,088 bytes. */
class BufferModelTest {
    private static final int PORT = 4;

    private final SwitchConfig config = BedConfig.of("s1", 10_000_000, Trust.PCP, 1);

    @Test
    void smallFramesAreBoundByTheSlotsOfAllPortsThatSend() {
        for (int senders = 1; senders <= 3; senders++) {
            assertThat(BufferModel.at(config, Pattern.toOne(senders), PORT, 64))
                    .isEqualTo(new Capacity(504L * senders, Bound.ACCOUNT_SLOTS));
        }
    }

    @Test
    void largeFramesAreBoundByTheQueueHoweverManyPortsSend() {
        for (int senders = 1; senders <= 3; senders++) {
            assertThat(BufferModel.at(config, Pattern.toOne(senders), PORT, 1518))
                    .isEqualTo(new Capacity(500_000 / 1514, Bound.QUEUE_LIMIT));
        }
    }

    @Test
    void portsThatAreCongestedAtTheSameTimeEachHoldTheirOwn() {
        assertThat(BufferModel.frames(config, Pattern.pairs(), 1518)).isEqualTo(2 * 330);
        assertThat(BufferModel.frames(config, Pattern.pairs(), 64)).isEqualTo(2 * 504);
    }

    @Test
    void aBurstIsWhatFitsAndWhatLeavesMeanwhileInEqualParts() {
        assertThat(BufferModel.burstPerPort(1008, 161, 2)).isEqualTo(584);
        assertThat(BufferModel.burstPerPort(330, 0, 3)).isEqualTo(110);
    }

    @Test
    void aFrameOccupiesTheWireWithPreambleAndGap() {
        assertThat(BufferModel.wireNs(64, 10_000_000)).isEqualTo(67_200);
        assertThat(BufferModel.wireNs(1518, 100_000_000)).isEqualTo(123_040);
    }

    @Test
    void aBufferIsAProblemWhereItIsNotAsConfiguredOrDropsForAnotherReason() {
        assertThat(buffering(504, Map.of("ACCOUNT_AT_CAP", 70L)).problem()).isEmpty();
        assertThat(buffering(450, Map.of("ACCOUNT_AT_CAP", 70L)).problem())
                .isEqualTo("buffering, 1:1, 64 bytes: 450 frames are held, not 504");
        assertThat(buffering(504, Map.of("QUEUE_FULL", 70L)).problem())
                .contains("dropped for [QUEUE_FULL], not for ACCOUNT_AT_CAP");
    }

    private static Buffering.Result buffering(long found, Map<String, Long> drops) {
        return new Buffering.Result(
                "1:1", 64, 1, 504, "", "ACCOUNT_AT_CAP", found, found, drops, 0, List.of());
    }

    @Test
    void aBurstIsAProblemWhereItIsLostWithRoomLeftOrHeldWithoutRoom() {
        assertThat(burst(1008, 1000).problem()).isEmpty();
        assertThat(burst(1009, 1000).problem()).contains("1009 frames were held, more than 1008");
        assertThat(burst(800, 800).problem()).contains("lost when 800 were held, not 1008");
    }

    private static Microburst.Result burst(long held, long heldAtLoss) {
        return new Microburst.Result(
                "2:1", 2, 64, 1, 580, 150, held, 579, 581, 2, heldAtLoss, 1008, 11);
    }
}
