package io.headgate.dataplane.service;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.local.LocalListener;
import io.headgate.dataplane.local.LocalSender;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The running services of a switch, on the worker of its local port. */
public final class Services implements LocalListener {
    private final ServiceHost[] hosts;
    private final Listening[][] listenings;
    private final SwitchAddresses addresses;
    private final Runnable doorbell;

    /** A service that a switch has, with its configuration. */
    record Joined<C extends Record>(ServiceMechanism<C> mechanism, C configuration) {
        static <C extends Record> Joined<C> of(ServiceMechanism<C> mechanism, Mechanisms.Use use) {
            return new Joined<>(mechanism, mechanism.of(use));
        }

        List<Listening> listensTo() {
            return mechanism.listensTo(configuration);
        }

        LocalService service(ServiceSetup setup) {
            return mechanism.service(configuration, setup);
        }
    }

    /** The common parts from which all services are made. */
    public record Parts(
            SwitchAddresses addresses,
            IntPredicate isUp,
            LocalSender sender,
            IntFunction<CounterBlock> counters,
            FailureListener failures,
            Runnable doorbell) {}

    /** Called for a service that failed. */
    @FunctionalInterface
    public interface FailureListener {
        void failed(String service, Throwable failure);
    }

    /**
     * Makes the services of a switch.
     *
     * @param parts common parts; {@code counters} are in the order of {@link
     *     #counters(SwitchConfig)}, and {@code doorbell} causes a call of {@link #doWork}
     */
    public Services(SwitchConfig config, Parts parts) {
        List<Joined<?>> joined = joined(config);
        this.hosts = new ServiceHost[joined.size()];
        this.listenings = new Listening[hosts.length][];
        this.addresses = parts.addresses;
        this.doorbell = parts.doorbell;
        for (int i = 0; i < hosts.length; i++) {
            Joined<?> one = joined.get(i);
            CounterBlock block = parts.counters.apply(i);
            ServiceCounters counters =
                    new ServiceCounters(block, ServiceCounters.ids(one.mechanism()));
            hosts[i] =
                    new ServiceHost(
                            one,
                            new ServiceSetup(config, addresses, parts.isUp, parts.sender, counters),
                            parts.failures);
            listenings[i] = one.listensTo().toArray(Listening[]::new);
        }
    }

    private static List<Joined<?>> joined(SwitchConfig config) {
        List<Joined<?>> joined = new ArrayList<>();
        for (Mechanisms.Use use : config.mechanisms().of(Mechanism.Kind.SERVICE)) {
            if (use.isEnabled()
                    && MechanismRegistry.find(use.kind(), use.name())
                            instanceof ServiceMechanism<?> mechanism) {
                joined.add(Joined.of(mechanism, use));
            }
        }
        return joined;
    }

    /** The counters of each service of a switch, in their order; empty if it has no services. */
    public static List<List<CounterId>> counters(SwitchConfig config) {
        return joined(config).stream().map(one -> ServiceCounters.ids(one.mechanism())).toList();
    }

    /**
     * All frames that the services of a switch listen to; empty if it has no services.
     *
     * @throws IllegalArgumentException in one sentence, if two listen to the same
     */
    public static List<Listening> listenings(SwitchConfig config) {
        List<Listening> all = new ArrayList<>();
        for (Joined<?> one : joined(config)) {
            for (Listening each : one.listensTo()) {
                if (all.contains(each)) {
                    throw new IllegalArgumentException(
                            "switch %s: service %s listens to %s, as another service does"
                                    .formatted(config.name(), one.mechanism().name(), each));
                }
                all.add(each);
            }
        }
        return all;
    }

    // ---- at work

    @Override
    public boolean heard(
            long nowNs, int port, int etherType, MemorySegment segment, long frame, int bytes) {
        long destination = Ethernet.destination(segment, frame);
        long mac = addresses.mac(port);
        for (int i = 0; i < hosts.length; i++) {
            for (Listening each : listenings[i]) {
                if (each.takes(etherType, destination, mac)) {
                    long before = hosts[i].deadlineNs();
                    hosts[i].heard(nowNs, port, segment, frame, bytes);
                    if (hosts[i].deadlineNs() != before) {
                        doorbell.run();
                    }
                    return true;
                }
            }
        }
        return false;
    }

    public int doWork(long nowNs) {
        int work = 0;
        for (ServiceHost host : hosts) {
            work += host.doWork(nowNs);
        }
        return work;
    }

    public long deadlineNs() {
        long earliestNs = LocalService.NEVER;
        for (ServiceHost host : hosts) {
            earliestNs = Math.min(earliestNs, host.deadlineNs());
        }
        return earliestNs;
    }

    /** Any thread: the present service of a class, or null. */
    public <S extends LocalService> @Nullable S get(Class<S> type) {
        for (ServiceHost host : hosts) {
            LocalService service = host.service();
            if (type.isInstance(service)) {
                return type.cast(service);
            }
        }
        return null;
    }

    // ---- while it runs

    /** Any thread: whether another configuration changes the behaviour of a service. */
    public static boolean differ(SwitchConfig from, SwitchConfig to) {
        List<Joined<?>> before = joined(from);
        List<Joined<?>> after = joined(to);
        for (int i = 0; i < after.size(); i++) {
            if (differs(before.get(i), after.get(i), from, to)) {
                return true;
            }
        }
        return false;
    }

    private static boolean differs(
            Joined<?> before, Joined<?> after, SwitchConfig from, SwitchConfig to) {
        return !after.configuration().equals(before.configuration())
                || after.mechanism().isConcerned(from, to);
    }

    /**
     * Any thread: prepares a change to another configuration with the same services.
     *
     * @return applies the change; to be run by the owner
     * @throws IllegalArgumentException in one sentence, if a service refuses it, or would listen to
     *     other frames than at the start
     */
    public Runnable prepare(SwitchConfig from, SwitchConfig to) {
        if (!listenings(from).equals(listenings(to))) {
            throw new IllegalArgumentException(
                    ("switch %s: its services would listen to other frames, which is laid out when"
                                    + " it starts: restart it with the new configuration")
                            .formatted(to.name()));
        }
        List<Joined<?>> before = joined(from);
        List<Joined<?>> after = joined(to);
        List<Runnable> changes = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            if (differs(before.get(i), after.get(i), from, to)) {
                changes.add(hosts[i].prepare(after.get(i), to));
            }
        }
        return () -> {
            changes.forEach(Runnable::run);
            // What is due may be so earlier.
            doorbell.run();
        };
    }
}
