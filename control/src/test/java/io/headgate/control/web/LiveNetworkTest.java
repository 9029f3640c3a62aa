package io.headgate.control.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.daemon.SwitchClient.Running;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.pauses.PauseView;
import io.headgate.control.pauses.PauseView.Buffer;
import io.headgate.control.pauses.PauseView.Held;
import io.headgate.control.pauses.PauseView.Queue;
import io.headgate.control.web.LiveNetwork.Stopped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class LiveNetworkTest {
    private static final int PRIORITY = 3;

    private final Map<String, PauseView> views = new HashMap<>();
    private final List<Stopped> stopped = new ArrayList<>();

    /** A switch whose p1 is stopped by a far end, for what came in by p2. */
    private void add(String name, String peer, long ns) {
        List<Held> held = List.of(new Held("p1", PRIORITY, 1_000));
        views.put(
                name,
                new PauseView(
                        name,
                        List.of(new Queue("p1", PRIORITY, ns, 1_000, 1_000_000, List.of())),
                        List.of(new Buffer("p2", PRIORITY, ns, held)),
                        Map.of("p1", peer)));
        stopped.add(new Stopped(name, "p1", PRIORITY, ns));
    }

    @Test
    void aHostThatPausesForLongHidesNoDeadlock() {
        add("s1", "h1", 60_000_000_000L);
        add("s2", "s3:p2", 400_000_000);
        add("s3", "s2:p2", 300_000_000);
        PauseTrace found = LiveNetwork.deadlock(stopped, views::get);
        assertThat(found).isNotNull();
        assertThat(found.root()).isEqualTo(PauseTrace.Root.DEADLOCK);
        assertThat(found.cycle())
                .extracting(PauseTrace.Step::name)
                .containsExactly("s2:p1", "s3:p1");
    }

    /** Those that wait for one host, one behind the other, are one way, however many they are. */
    @Test
    void queuesThatOnePassedAreNotFollowedAgain() {
        add("a0", "h1", 1_000_000_000L);
        for (int i = 1; i <= 40; i++) {
            add("a" + i, "a" + (i - 1) + ":p2", 1_000_000_000L + i);
        }
        add("s2", "s3:p2", 400_000_000);
        add("s3", "s2:p2", 300_000_000);
        assertThat(LiveNetwork.deadlock(stopped, views::get)).isNotNull();
    }

    @Test
    void noMoreThanSixteenWaysAreFollowed() {
        for (int i = 0; i < 40; i++) {
            add("a" + i, "h" + i, 1_000_000_000L);
        }
        List<String> asked = new ArrayList<>();
        assertThat(
                        LiveNetwork.deadlock(
                                stopped,
                                name -> {
                                    asked.add(name);
                                    return views.get(name);
                                }))
                .isNull();
        assertThat(asked).hasSize(16);
    }

    @Test
    void ofTwoSwitchesOfOneNameTheFirstIsShown() {
        Running own = new Running(Path.of("own"), "s1", true);
        Running other = new Running(Path.of("own"), "s2", true);
        Set<String> twice = new TreeSet<>();
        assertThat(
                        LiveNetwork.oneOfEachName(
                                List.of(own, new Running(Path.of("root"), "s1", false), other),
                                twice))
                .containsExactly(own, other);
        assertThat(twice).containsExactly("s1");
    }
}
