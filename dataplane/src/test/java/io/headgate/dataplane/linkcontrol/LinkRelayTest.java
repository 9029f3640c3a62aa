package io.headgate.dataplane.linkcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a link mechanism hands from one port of a switch to another. */
class LinkRelayTest {
    private final List<String> rung = new ArrayList<>();

    private LinkRelay[] relays(int... records) {
        return LinkRelay.between(records, (in, out) -> () -> rung.add(in + ">" + out));
    }

    private static boolean send(LinkRelay from, int to, long word) {
        if (!from.claim(to)) {
            return false;
        }
        from.put(0, word);
        from.publish();
        return true;
    }

    @Test
    void recordsArriveInOrderAndNoneIsMerged() {
        LinkRelay[] relays = relays(4, 4, 4);
        for (int i = 0; i < 4; i++) {
            assertThat(send(relays[0], 2, 7)).isTrue();
        }
        assertThat(rung).containsExactly("0>2", "0>2", "0>2", "0>2");
        assertThat(relays[1].next()).isFalse();
        for (int i = 0; i < 4; i++) {
            assertThat(relays[2].next()).isTrue();
            assertThat(relays[2].get(0)).isEqualTo(7);
            relays[2].release();
        }
        assertThat(relays[2].next()).isFalse();
    }

    @Test
    void portsTakeTurns() {
        LinkRelay[] relays = relays(4, 4, 4);
        for (int i = 0; i < 3; i++) {
            send(relays[0], 2, 10 + i);
            send(relays[1], 2, 20 + i);
        }
        List<Long> came = new ArrayList<>();
        while (relays[2].next()) {
            came.add(relays[2].get(0));
            relays[2].release();
        }
        assertThat(came).containsExactly(10L, 20L, 11L, 21L, 12L, 22L);
    }

    @Test
    void whatFindsNoRoomOrNoPortIsRefused() {
        LinkRelay[] relays = relays(2, 2, 0);
        assertThat(send(relays[0], 0, 1)).as("its own port").isFalse();
        assertThat(send(relays[0], 2, 1)).as("without the mechanism").isFalse();
        assertThat(send(relays[0], 3, 1)).as("no port").isFalse();
        assertThat(send(relays[0], -1, 1)).isFalse();
        assertThat(send(relays[0], 1, 1)).isTrue();
        assertThat(send(relays[0], 1, 2)).isTrue();
        assertThat(send(relays[0], 1, 3)).as("full").isFalse();
        assertThat(relays[1].next()).isTrue();
        relays[1].release();
        assertThat(send(relays[0], 1, 4)).isTrue();
    }
}
