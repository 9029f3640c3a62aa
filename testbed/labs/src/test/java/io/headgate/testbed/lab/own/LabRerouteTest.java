package io.headgate.testbed.lab.own;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Three routers in a ring, of which one may refuse. */
class LabRerouteTest {
    private static final LinkSpec LINK = LinkSpec.of(1_000_000_000L, 1500);
    private static final long MS = 1_000_000;

    private final NetworkPlan plan =
            NetworkPlan.of(
                    Topologies.ring(3, 1, Turn.SHORTEST, LINK, LINK)
                            .withMode(SwitchConfig.Mode.ROUTED),
                    PlanOptions.virtual(1));
    private final List<SwitchConfig> now = new ArrayList<>(plan.switches());
    private final Set<Integer> refusing = new HashSet<>();
    private final List<String> said = new ArrayList<>();
    private final LinkPlan link =
            plan.links().stream()
                    .filter(one -> one.name().equals("s1-s2"))
                    .findFirst()
                    .orElseThrow();
    private boolean isDown;
    private boolean isBroken;
    private final AtomicInteger checks = new AtomicInteger();
    private boolean isEarlyRefused;
    private final AtomicInteger tries = new AtomicInteger();
    private long nowNs;

    private final LabReroute reroute =
            new LabReroute(
                    plan,
                    new LabReroute.Lab() {
                        @Override
                        public long nowNs() {
                            return nowNs;
                        }

                        @Override
                        public boolean isDown(LinkPlan.End end) {
                            if (isBroken) {
                                throw new IllegalStateException("it is gone");
                            }
                            return isDown && end.equals(link.a());
                        }

                        @Override
                        public LabReroute.Router router(int number) {
                            return new FakeRouter(number);
                        }
                    },
                    20,
                    said::add);

    private final class FakeRouter implements LabReroute.Router {
        private final int number;

        FakeRouter(int number) {
            this.number = number;
        }

        @Override
        public List<RoutedConfig.Route> routes() {
            return now.get(number).routed().routes();
        }

        @Override
        public Runnable ready(Map<String, Object> set) {
            checks.incrementAndGet();
            if (isEarlyRefused) {
                throw new IllegalStateException("not now");
            }
            return () -> {
                tries.incrementAndGet();
                if (refusing.contains(number)) {
                    throw new IllegalStateException("a worker hangs");
                }
                now.set(number, SwitchPatch.apply(now.get(number), set, "t").config());
            };
        }
    }

    private void run(long ms) {
        for (long end = nowNs + ms * MS; nowNs < end; nowNs += 10 * MS) {
            reroute.look(nowNs);
        }
    }

    private static List<RoutedConfig.Route> routes(SwitchConfig config) {
        return config.routed().routes();
    }

    @Test
    void whatWasRefusedIsSaidOnceAndTriedAgain() {
        refusing.add(0);
        isDown = true;
        run(50);
        assertThat(said)
                .containsExactly(
                        "Routes of s1 stay as they are, and are tried again: a worker hangs",
                        "Routes without s1-s2 at s2");
        run(3_000);
        assertThat(said).hasSize(2);
        assertThat(tries).hasValue(2 + 3);
        refusing.clear();
        run(1_100);
        assertThat(said).hasSize(3).last().isEqualTo("Routes without s1-s2 at s1");
        assertThat(routes(now.get(0))).isNotEqualTo(routes(plan.switches().get(0)));
        run(3_000);
        assertThat(tries).hasValue(2 + 3 + 1);
        isDown = false;
        run(50);
        assertThat(said).last().isEqualTo("Routes of all links at s1, s2");
        assertThat(now).isEqualTo(plan.switches());
    }

    @Test
    void routesAreCheckedBeforeTheyAreDue() {
        isDown = true;
        run(10);
        assertThat(checks).hasValue(2);
        assertThat(tries).hasValue(0);
        run(40);
        assertThat(checks).hasValue(2);
        assertThat(tries).hasValue(2);
        assertThat(said).containsExactly("Routes without s1-s2 at s1, s2");
    }

    @Test
    void whatIsRefusedBeforeItIsDueIsAskedAgainThen() {
        isEarlyRefused = true;
        isDown = true;
        run(10);
        assertThat(checks).hasValue(2);
        isEarlyRefused = false;
        run(40);
        assertThat(checks).hasValue(4);
        assertThat(said).containsExactly("Routes without s1-s2 at s1, s2");
    }

    @Test
    void whatAPersonSetIsNotReplacedWithoutAWord() {
        SwitchConfig own = now.get(1);
        now.set(1, own.withRouted(own.routed().withRoutes(routes(own).subList(0, 1))));
        isDown = true;
        run(50);
        assertThat(said)
                .containsExactly(
                        "Routes of s2 that were set by hand are replaced",
                        "Routes without s1-s2 at s1, s2");
        isDown = false;
        run(50);
        assertThat(said).hasSize(3);
    }

    @Test
    void anExceptionIsSaidOnceAndTheLooksGoOn() {
        isBroken = true;
        run(100);
        assertThat(said).containsExactly("Routes may not follow the links: it is gone");
        isBroken = false;
        isDown = true;
        run(50);
        assertThat(said).last().isEqualTo("Routes without s1-s2 at s1, s2");
    }

    @Test
    void aLinkThatFlapsIsNotSaidEachTime() {
        for (int i = 0; i < 40; i++) {
            isDown = !isDown;
            run(50);
        }
        assertThat(tries).hasValue(80);
        assertThat(said).hasSize(5);
        isDown = true;
        run(8_200);
        assertThat(said).last().isEqualTo("Routes without s1-s2 at s1, s2, the last of 36 changes");
        assertThat(said).hasSize(6);
    }
}
