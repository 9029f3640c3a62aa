package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.RankingPlan;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy compiled into its own hidden classes (JEP 371), made from templates at run time. No
 * other code can refer to them, and they are unloaded when the last port stops using them.
 */
public final class CompiledPolicy {
    private final PolicyPlan plan;
    private final Constructor<?> queues;
    private final boolean isOfLists;

    /** Per order that is a comparator: its heap. */
    private final Map<RankingPlan, Constructor<?>> heaps = new LinkedHashMap<>();

    /** Compiles a plan. */
    public CompiledPolicy(PolicyPlan plan) {
        this.plan = plan;
        this.isOfLists = plan.needsOnlyLists();
        PolicyShape shape = PolicyShape.of(plan);
        if (isOfLists) {
            this.queues =
                    define(
                            PolicyCode.lists(plan, template(PolicyLists.class)),
                            shape,
                            PolicyPlan.class,
                            NamedRandom.class);
            return;
        }
        this.queues =
                define(
                        PolicyCode.queues(plan, template(PolicyQueues.class)),
                        shape,
                        PolicyPlan.class,
                        Ranking[].class,
                        Ranking[].class,
                        NamedRandom.class);
        for (QueuePlan queue : plan.queues()) {
            addHeap(queue.processing());
            addHeap(queue.admission());
        }
    }

    public PolicyPlan plan() {
        return plan;
    }

    private void addHeap(@Nullable RankingPlan ranking) {
        if (ranking != null && ranking.structure() == PolicyPlan.Structure.COMPARED_HEAP) {
            heaps.computeIfAbsent(
                    ranking,
                    _ ->
                            define(
                                    PolicyCode.heap(
                                            plan, ranking.order(), template(HeapRanking.class)),
                                    PolicyShape.of(plan),
                                    boolean.class));
        }
    }

    private static byte[] template(Class<?> of) {
        try (InputStream in = of.getResourceAsStream(of.getSimpleName() + ".class")) {
            if (in == null) {
                throw new IllegalStateException("no bytes of " + of);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + of, e);
        }
    }

    private static Constructor<?> define(byte[] bytes, PolicyShape shape, Class<?>... arguments) {
        try {
            return MethodHandles.lookup()
                    .defineHiddenClassWithClassData(bytes, shape, true)
                    .lookupClass()
                    .getDeclaredConstructor(arguments);
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw new IllegalStateException("a policy's class cannot be made", e);
        }
    }

    /**
     * Creates the empty queues of a port.
     *
     * @param random for drops with a probability
     */
    public Queues queues(NamedRandom random) {
        if (isOfLists) {
            return (Queues) make(queues, plan, random);
        }
        int count = plan.queues().size();
        Ranking[] processing = new Ranking[count];
        @Nullable Ranking[] admission = new Ranking[count];
        for (int i = 0; i < count; i++) {
            QueuePlan queue = plan.queues().get(i);
            processing[i] = ranking(queue.processing(), false);
            admission[i] = queue.isShared() ? processing[i] : admission(queue);
        }
        return (Queues) make(queues, plan, processing, admission, random);
    }

    private @Nullable Ranking admission(QueuePlan queue) {
        return queue.admission() == null ? null : ranking(queue.admission(), true);
    }

    private Ranking ranking(RankingPlan ranking, boolean hasWorstOnTop) {
        return switch (ranking.structure()) {
            case ARRIVAL -> new ArrivalRanking(PolicyPlan.isNewestFirst(ranking));
            case BUCKETS -> new BucketRanking();
            case KEYED_HEAP -> new HeapRanking(hasWorstOnTop);
            case COMPARED_HEAP -> {
                Constructor<?> heap = heaps.get(ranking);
                if (heap == null) {
                    throw new IllegalStateException("no heap for " + ranking);
                }
                yield (Ranking) make(heap, hasWorstOnTop);
            }
        };
    }

    private static Object make(Constructor<?> constructor, Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a policy's class cannot be used", e);
        }
    }
}
