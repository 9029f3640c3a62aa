package io.headgate.control.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ReadPoliciesTest {
    private static final Source LIBRARY = new Source("order.oq", "fifo(a, b) = a.size < b.size");

    private final ReadPolicies policies = new ReadPolicies();

    private static Source policy(int size) {
        return new Source(
                "own.oq",
                "import \"order.oq\" q = Queue(%d); q.procPrio = fifo; out = Port(q);"
                        .formatted(size));
    }

    private Policy read(int size) throws Exception {
        return policies.of(policy(size), (_, _) -> LIBRARY);
    }

    @Test
    void thoseAskedForLastAreKept() throws Exception {
        List<Policy> first = new ArrayList<>();
        for (int i = 0; i < ReadPolicies.MOST_KEPT; i++) {
            first.add(read(1000 + i));
        }
        assertThat(read(1000)).isSameAs(first.getFirst());
        read(2000);
        assertThat(read(1000)).as("asked for again").isSameAs(first.getFirst());
        for (int i = 2; i < ReadPolicies.MOST_KEPT; i++) {
            assertThat(read(1000 + i)).isSameAs(first.get(i));
        }
        assertThat(read(1001)).as("the oldest").isEqualTo(first.get(1)).isNotSameAs(first.get(1));
    }

    /** The second time, what is kept is compared with the library. */
    @Test
    void aLibraryThatIsSlowToReadDelaysNoOtherPolicy() throws Exception {
        for (int i = 0; i < 2; i++) {
            policies.of(
                    policy(1000),
                    (_, _) -> {
                        CompletableFuture.runAsync(
                                        () -> {
                                            try {
                                                read(2000);
                                            } catch (Exception e) {
                                                throw new IllegalStateException(e);
                                            }
                                        })
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join();
                        return LIBRARY;
                    });
        }
    }
}
