package io.headgate.dataplane.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How ports share a router's resolution, in numbers. */
final class ResolutionSharesTest {
    private static final int PORTS = 128;
    private static final int CAPACITY = 4096;
    private static final long S = 1_000_000_000L;

    /** Adds for a port until it may no more; answers how many. */
    private static int fill(ResolutionBudget budget, int port, int[] used) {
        int added = 0;
        while (budget.mayAdd(port, CAPACITY - used[0])) {
            budget.added(port);
            budget.answered(port);
            used[0]++;
            added++;
        }
        return added;
    }

    @Test
    void onePortFillsFourFifthsOfTheTableAndEachNextOneFindsSomething() {
        ResolutionBudget budget = new ResolutionBudget(PORTS);
        int[] used = new int[1];
        assertThat(fill(budget, 0, used)).isBetween(CAPACITY * 4 / 5, CAPACITY * 4 / 5 + 1);
        for (int port = 1; port < 5; port++) {
            assertThat(fill(budget, port, used)).as("port %d", port).isPositive();
        }
        assertThat(used[0]).isLessThan(CAPACITY);
    }

    @Test
    void allPortsAtOnceShareAlike() {
        ResolutionBudget budget = new ResolutionBudget(PORTS);
        int used = 0;
        for (boolean more = true; more; ) {
            more = false;
            for (int port = 0; port < PORTS - 1; port++) {
                if (budget.mayAdd(port, CAPACITY - used)) {
                    budget.added(port);
                    used++;
                    more = true;
                }
            }
        }
        assertThat(CAPACITY - used).isPositive();
        assertThat(budget.mayAdd(PORTS - 1, CAPACITY - used)).as("the one that was quiet").isTrue();
    }

    @Test
    void unansweredOnesAreSharedAlikeAndTheirRateIsLimited() {
        ResolutionBudget budget = new ResolutionBudget(PORTS);
        long nowNs = 0;
        int[] asked = new int[3];
        for (int port = 0; port < asked.length; port++) {
            for (int i = 0; i < 1_000; i++) {
                nowNs += 10_000_000;
                if (budget.mayAsk(nowNs, port)) {
                    budget.added(port);
                    asked[port]++;
                }
            }
        }
        assertThat(asked).containsExactly(256, 128, 64);
        for (int i = 0; i < asked[0]; i++) {
            budget.answered(0);
            budget.removed(0);
        }
        int atOnce = 0;
        while (budget.mayAsk(nowNs, 0)) {
            atOnce++;
        }
        assertThat(atOnce).as("a tenth of a second's worth").isEqualTo(100);
        assertThat(budget.mayAsk(nowNs + S / 1000, 0)).isTrue();
        assertThat(budget.mayAsk(nowNs + S / 1000, 0)).isFalse();
    }
}
