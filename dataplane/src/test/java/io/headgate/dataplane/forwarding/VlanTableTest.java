package io.headgate.dataplane.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.PortConfig.VlanConfig.Mode;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VlanTableTest {
    private static final int ACCESS_10 = 0;
    private static final int TRUNK_10_20 = 1;
    private static final int TRUNK_ALL = 2;

    private static final VlanTable TABLE =
            new VlanTable(
                    List.of(
                            new VlanConfig(Mode.ACCESS, 10, List.of()),
                            new VlanConfig(Mode.TRUNK, 10, List.of(10, 20)),
                            new VlanConfig(Mode.TRUNK, null, List.of())));

    @ParameterizedTest(name = "port {0}, tagged {1}, id {2}: VLAN {3}")
    @CsvSource({
        // An access port takes untagged frames, priority tags, and its own VLAN's tag.
        "0, false,    0,   10",
        "0, true,     0,   10",
        "0, true,    10,   10",
        "0, true,    20,    0",
        // A trunk with a native VLAN.
        "1, false,    0,   10",
        "1, true,     0,   10",
        "1, true,    10,   10",
        "1, true,    20,   20",
        "1, true,    30,    0",
        // A trunk without one refuses what has no VLAN; all others are allowed.
        "2, false,    0,    0",
        "2, true,     0,    0",
        "2, true,     1,    1",
        "2, true,  4094, 4094",
        "2, true,  4095,    0",
    })
    void classifiesReceivedFrames(int port, boolean tagged, int id, int vlan) {
        assertThat(TABLE.classify(port, tagged, id)).isEqualTo(vlan);
    }

    @ParameterizedTest(name = "port {0}, VLAN {1}: carried {2}, tagged {3}")
    @CsvSource({
        "0, 10, true,  false",
        "0, 20, false, false",
        "1, 10, true,  false",
        "1, 20, true,  true",
        "1, 30, false, true",
        "2, 10, true,  true",
        "2, 30, true,  true",
    })
    void saysWhatLeavesAndHow(int port, int vlan, boolean carried, boolean tagged) {
        assertThat(TABLE.carries(port, vlan)).isEqualTo(carried);
        if (carried) {
            assertThat(TABLE.leavesTagged(port, vlan)).isEqualTo(tagged);
        }
    }

    @Test
    void knowsTheMembersOfEachVlan() {
        assertThat(TABLE.members(10)).containsExactly(0b111);
        assertThat(TABLE.members(20)).containsExactly(0b110);
        assertThat(TABLE.members(30)).containsExactly(0b100);
        assertThat(TABLE.classify(ACCESS_10, false, 0)).isEqualTo(10);
        assertThat(TABLE.classify(TRUNK_10_20, false, 0)).isEqualTo(10);
        assertThat(TABLE.classify(TRUNK_ALL, false, 0)).isZero();
    }

    @Test
    void sixtyFivePortsNeedTwoWords() {
        VlanTable table = new VlanTable(Collections.nCopies(65, VlanConfig.DEFAULT));
        assertThat(table.members(1)).containsExactly(-1L, 1L);
        assertThat(table.carries(64, 1)).isTrue();
        assertThat(table.carries(64, 2)).isFalse();
    }
}
