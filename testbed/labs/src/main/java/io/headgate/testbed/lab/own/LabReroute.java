package io.headgate.testbed.lab.own;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.Reason;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch;
import io.headgate.control.run.RunningSwitch;
import io.headgate.testbed.lab.outage.Reroute;
import io.headgate.testbed.topology.LinkOrders;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives the routers of a lab the remaining routes, a configured time after a link went down or came
 * up, by an order, by a person or because a device is gone. Its own thread checks the links at
 * intervals.
 */
public final class LabReroute implements AutoCloseable {
    public static final long LOOK_MS = 10;

    /** Interval at which refused routes are tried again. */
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int SETTERS = 4;

    /** Sentences about links that flap: at most N at once, then one per interval. */
    private static final int SENTENCES = 5;

    private static final long SENTENCE_NS = TimeUnit.SECONDS.toNanos(10);

    /** A router of the lab. */
    interface Router {
        List<RoutedConfig.Route> routes();

        /** Checks a change of keys, and answers what makes it. */
        Runnable ready(Map<String, Object> set);
    }

    /** The running lab. */
    interface Lab {
        long nowNs();

        /** Whether an end of a link at a switch is down. */
        boolean isDown(LinkPlan.End end);

        Router router(int number);
    }

    private final Lab lab;
    private final NetworkPlan plan;
    private final long afterNs;
    private final Consumer<String> say;
    private final List<RoutedConfig> now;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("headgate-reroute").daemon().factory());

    /** Routers take their routes at the same time: each waits for its workers. */
    private final ExecutorService setters =
            Executors.newFixedThreadPool(
                    SETTERS, Thread.ofPlatform().name("headgate-routes-", 0).daemon().factory());

    private BitSet seen = new BitSet();

    /** The links that are down, by the time at which routers receive routes without them. */
    private final Deque<Due> due = new ArrayDeque<>();

    private record Due(long seenNs, long atNs, BitSet down, Map<Integer, Ready> ready) {}

    /** A change of a router that has been checked before its time has come. */
    private record Ready(Map<String, Object> set, Runnable make) {}

    private final List<Reroute> done = Collections.synchronizedList(new ArrayList<>());

    /** The links that were down when routers last received routes. */
    private BitSet last = new BitSet();

    private long triedNs;

    /** Switches that have refused routes, and said so. */
    private final Set<Integer> refused = new HashSet<>();

    private boolean hasFailed;
    private int sentences = SENTENCES;
    private long sentenceNs;
    private @Nullable String unsaid;
    private int unsaidMore;

    /**
     * @param switches in the order of the plan
     * @param afterMs how long after a change of a link
     * @param say is called with sentences, by another thread
     */
    public static LabReroute of(
            NetworkPlan plan, List<RunningSwitch> switches, long afterMs, Consumer<String> say) {
        LabReroute reroute = new LabReroute(plan, new Running(switches), afterMs, say);
        if (plan.topology().mode() == SwitchConfig.Mode.ROUTED) {
            var _ = reroute.thread.submit(reroute::warmUp);
            var _ =
                    reroute.thread.scheduleWithFixedDelay(
                            () -> reroute.look(System.nanoTime()),
                            LOOK_MS,
                            LOOK_MS,
                            TimeUnit.MILLISECONDS);
        }
        return reroute;
    }

    LabReroute(NetworkPlan plan, Lab lab, long afterMs, Consumer<String> say) {
        this.lab = lab;
        this.plan = plan;
        this.afterNs = TimeUnit.MILLISECONDS.toNanos(afterMs);
        this.say = say;
        this.now = new ArrayList<>(plan.switches().stream().map(SwitchConfig::routed).toList());
    }

    /** The reroutes until now. */
    public List<Reroute> done() {
        synchronized (done) {
            return List.copyOf(done);
        }
    }

    /**
     * Computes and checks what each link's failure would change, and throws it away: the first time
     * takes tens of milliseconds more, as classes are loaded.
     */
    private void warmUp() {
        for (LinkPlan link : plan.links()) {
            BitSet down = new BitSet();
            down.set(link.number());
            for (LinkOrders.Routes routes : LinkOrders.routes(plan, down, now)) {
                SwitchConfig config = plan.switches().get(routes.number());
                var _ = SwitchPatch.apply(config, routes.set(), "reroute");
            }
        }
    }

    private record Running(List<RunningSwitch> switches) implements Lab {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public boolean isDown(LinkPlan.End end) {
            RunningSwitch own = switches.get(end.node());
            PortConfig port = own.config().ports().get(end.port());
            boolean isPulled =
                    port.device() instanceof DeviceConfig.Faulty faulty
                            && faulty.faults().isPulled();
            return isPulled || !own.realTime().engine().registry().isUp(end.port());
        }

        @Override
        public Router router(int number) {
            RunningSwitch own = switches.get(number);
            return new Router() {
                @Override
                public List<RoutedConfig.Route> routes() {
                    return own.config().routed().routes();
                }

                @Override
                public Runnable ready(Map<String, Object> set) {
                    return own.ready(set, "reroute");
                }
            };
        }
    }

    /** An exception that left this method would end the periodic task without a message. */
    void look(long nowNs) {
        try {
            BitSet down = down();
            if (!down.equals(seen)) {
                seen = down;
                due.add(new Due(nowNs, nowNs + afterNs, down, ready(down)));
            }
            Due next = due.peek();
            if (next != null && nowNs - next.atNs >= 0) {
                due.remove();
                last = next.down;
                reroute(nowNs, next.ready);
                done.add(new Reroute(next.down, next.seenNs, lab.nowNs()));
            } else if (!refused.isEmpty() && nowNs - triedNs >= AGAIN_NS) {
                reroute(nowNs, Map.of());
            }
            tell(nowNs);
        } catch (RuntimeException e) {
            if (!hasFailed && !thread.isShutdown()) {
                hasFailed = true;
                say.accept("Routes may not follow the links: " + Reason.of(e));
            }
        }
    }

    private BitSet down() {
        BitSet down = new BitSet();
        for (LinkPlan link : plan.links()) {
            if (isDown(link.a()) || isDown(link.b())) {
                down.set(link.number());
            }
        }
        return down;
    }

    private boolean isDown(LinkPlan.End end) {
        return !end.isHost() && lab.isDown(end);
    }

    /** What can be done before the routes are due; what is refused now is asked again then. */
    private Map<Integer, Ready> ready(BitSet down) {
        Map<Integer, Ready> ready = new HashMap<>();
        for (LinkOrders.Routes routes : LinkOrders.routes(plan, down, now)) {
            try {
                Runnable make = lab.router(routes.number()).ready(routes.set());
                ready.put(routes.number(), new Ready(routes.set(), make));
            } catch (RuntimeException refusedNow) {
                // Its time may yet come with another answer, and then it is said why not.
            }
        }
        return ready;
    }

    private void reroute(long nowNs, Map<Integer, Ready> ready) {
        triedNs = nowNs;
        List<String> changed = new ArrayList<>();
        List<LinkOrders.Routes> all = LinkOrders.routes(plan, last, now);
        refused.retainAll(all.stream().map(LinkOrders.Routes::number).toList());
        List<List<RoutedConfig.Route>> before = new ArrayList<>();
        List<Future<?>> set = new ArrayList<>();
        for (LinkOrders.Routes routes : all) {
            Router router = lab.router(routes.number());
            before.add(router.routes());
            Ready one = ready.get(routes.number());
            set.add(
                    setters.submit(
                            one != null && one.set.equals(routes.set())
                                    ? one.make
                                    : () -> router.ready(routes.set()).run()));
        }
        for (int i = 0; i < all.size(); i++) {
            LinkOrders.Routes routes = all.get(i);
            List<RoutedConfig.Route> had = before.get(i);
            String why = whyNot(set.get(i));
            if (thread.isShutdown()) {
                return; // the lab ends: nothing was refused
            }
            if (!why.isEmpty()) {
                if (refused.add(routes.number())) {
                    say.accept(
                            "Routes of %s stay as they are, and are tried again: %s"
                                    .formatted(routes.node(), why));
                }
                continue;
            }
            boolean isOurs =
                    had.equals(now.get(routes.number()).routes())
                            || had.equals(routes.next().routes());
            if (!isOurs) {
                say.accept(
                        "Routes of %s that were set by hand are replaced".formatted(routes.node()));
            }
            refused.remove(routes.number());
            now.set(routes.number(), routes.next());
            changed.add(routes.node());
        }
        if (!changed.isEmpty()) {
            String links =
                    String.join(
                            ", ",
                            last.stream().mapToObj(one -> plan.links().get(one).name()).toList());
            unsaidMore += unsaid == null ? 0 : 1;
            unsaid =
                    "Routes "
                            + (links.isEmpty() ? "of all links" : "without " + links)
                            + " at "
                            + String.join(", ", changed);
        }
    }

    /** Waits for it. Empty: it was done. */
    private static String whyNot(Future<?> set) {
        try {
            set.get();
            return "";
        } catch (ExecutionException e) {
            return Reason.of(Objects.requireNonNull(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Of many changes in a short time the last one is said. */
    private void tell(long nowNs) {
        if (sentences < SENTENCES && nowNs - sentenceNs >= SENTENCE_NS) {
            sentences++;
            sentenceNs = nowNs;
        }
        String sentence = unsaid;
        if (sentence != null && sentences > 0) {
            if (sentences == SENTENCES) {
                sentenceNs = nowNs;
            }
            sentences--;
            say.accept(
                    sentence
                            + (unsaidMore == 0
                                    ? ""
                                    : ", the last of %d changes".formatted(unsaidMore + 1)));
            unsaid = null;
            unsaidMore = 0;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        setters.shutdownNow();
    }
}
