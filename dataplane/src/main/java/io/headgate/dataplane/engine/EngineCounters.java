package io.headgate.dataplane.engine;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.flowcontrol.LinkMechanisms;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.queue.QueueCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lays out the counters of an engine: first reserves all of them, then, once they have memory,
 * hands them out.
 */
final class EngineCounters {
    private static final int NONE = -1;

    private final CounterDirectory directory = new CounterDirectory();
    // By half: what it counts, once there is memory.
    private final List<Supplier<HalfSetup.Counts>> halves = new ArrayList<>();
    private final int[] workers;
    private final int[] own;

    /**
     * @param domain the owner of the egress of all ports; null: each port owns its egress
     * @param ownIds counters of the engine as a whole, without those of ports and workers, in
     *     blocks
     */
    EngineCounters(
            String name,
            List<PortConfig> ports,
            @Nullable Domain domain,
            int workers,
            List<List<? extends CounterId>> ownIds) {
        this.workers = new int[workers];
        for (int port = 0; port < ports.size(); port++) {
            PortConfig config = ports.get(port);
            reserve(
                    port,
                    config,
                    domain == null
                            ? QueueCounters.Layout.of(config.mechanisms())
                            : domain.counted(port));
        }
        List<WorkerCounter> workerIds = List.of(WorkerCounter.values());
        for (int worker = 0; worker < workers; worker++) {
            this.workers[worker] =
                    directory.reserve(Scope.WORKER, worker, "worker " + worker, workerIds);
        }
        own =
                ownIds.stream()
                        .mapToInt(ids -> directory.reserve(Scope.SWITCH, 0, name, ids))
                        .toArray();
    }

    private void reserve(int port, PortConfig config, QueueCounters.@Nullable Layout counted) {
        String name = config.name();
        int in = reserve(Scope.INGRESS, port, name, List.of(IngressCounter.values()));
        int inDrops = directory.reserveDrops(true, port, name);
        int out = reserve(Scope.EGRESS, port, name, List.of(EgressCounter.values()));
        int outDrops = directory.reserveDrops(false, port, name);
        boolean controls = PortFlowControl.isConfigured(config);
        boolean credits = config.flowControl().mode() == Mode.CREDITS;
        int inPriorities =
                reserve(
                        Scope.INGRESS,
                        port,
                        name,
                        controls ? PriorityCounter.ingress(credits) : List.of());
        int outPriorities =
                reserve(
                        Scope.EGRESS,
                        port,
                        name,
                        controls ? PriorityCounter.egress(credits) : List.of());
        int congestion =
                reserve(Scope.EGRESS, port, name, Congestion.counters(config.mechanisms()));
        int queues = counted == null ? NONE : reserve(Scope.EGRESS, port, name, counted.ids());
        LinkMechanisms links = new LinkMechanisms(config);
        int received = reserve(Scope.INGRESS, port, name, links.counters(true));
        int sent = reserve(Scope.EGRESS, port, name, links.counters(false));
        halves.add(() ->
                new HalfSetup.Counts(
                        directory.block(in),
                        directory.drops(true, inDrops),
                        blockOf(inPriorities),
                        blockOf(received),
                        null,
                        null));
        halves.add(() ->
                new HalfSetup.Counts(
                        directory.block(out),
                        directory.drops(false, outDrops),
                        blockOf(outPriorities),
                        blockOf(sent),
                        blockOf(congestion),
                        counted == null
                                ? null
                                : new QueueCounters(directory.block(queues), counted)));
    }

    private int reserve(Scope scope, int port, String portName, List<? extends CounterId> ids) {
        return ids.isEmpty() ? NONE : directory.reserve(scope, port, portName, ids);
    }

    CounterDirectory directory() {
        return directory;
    }

    HalfSetup.Counts ofHalf(int half) {
        return halves.get(half).get();
    }

    private @Nullable CounterBlock blockOf(int reservation) {
        return reservation == NONE ? null : directory.block(reservation);
    }

    CounterBlock worker(int worker) {
        return directory.block(workers[worker]);
    }

    CounterBlock own(int block) {
        return directory.block(own[block]);
    }
}
