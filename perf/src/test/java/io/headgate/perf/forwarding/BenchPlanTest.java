package io.headgate.perf.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchPlanTest {
    private static BenchPlan on(String... devices) {
        return new BenchPlan(
                List.of(devices), List.of(), List.of(64), 1, 1, 0, 0, 0, 0, false, 0, 1, 1);
    }

    @Test
    void sinksTakeXdpFramesWhereADeviceOfTheRunSendsThem() {
        assertThat(on("afpacket").sendsXdpFrames()).isFalse();
        assertThat(on("afpacket", "afxdp").sendsXdpFrames()).isTrue();
    }
}
