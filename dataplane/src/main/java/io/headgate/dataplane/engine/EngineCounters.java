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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters of an engine: first all are reserved, then, once they have memory, handed out. */
final class EngineCounters {
    private static final int NONE = -1;

    private final CounterDirectory directory = new CounterDirectory();
    private final int[] ingress;
    private final int[] ingressDrops;
    private final int[] egress;
    private final int[] egressDrops;
    private final int[] ingressPriorities;
    private final int[] egressPriorities;
    private final int[] congestion;
    private final int[] queues;
    private final QueueCounters.@Nullable Layout[] queueLayouts;
    private final int[] linkReceived;
    private final int[] linkSent;
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
        this.ingress = new int[ports.size()];
        this.ingressDrops = new int[ports.size()];
        this.egress = new int[ports.size()];
        this.egressDrops = new int[ports.size()];
        this.ingressPriorities = new int[ports.size()];
        this.egressPriorities = new int[ports.size()];
        this.congestion = new int[ports.size()];
        this.queues = new int[ports.size()];
        this.queueLayouts = new QueueCounters.Layout[ports.size()];
        this.linkReceived = new int[ports.size()];
        this.linkSent = new int[ports.size()];
        this.workers = new int[workers];
        for (int port = 0; port < ports.size(); port++) {
            PortConfig config = ports.get(port);
            this.queueLayouts[port] =
                    domain == null
                            ? QueueCounters.Layout.of(config.mechanisms())
                            : domain.counted(port);
            reserve(port, config);
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

    private void reserve(int port, PortConfig config) {
        String name = config.name();
        ingress[port] = reserve(Scope.INGRESS, port, name, List.of(IngressCounter.values()));
        ingressDrops[port] = directory.reserveDrops(true, port, name);
        egress[port] = reserve(Scope.EGRESS, port, name, List.of(EgressCounter.values()));
        egressDrops[port] = directory.reserveDrops(false, port, name);
        ingressPriorities[port] = NONE;
        egressPriorities[port] = NONE;
        if (PortFlowControl.isConfigured(config)) {
            boolean credits = config.flowControl().mode() == Mode.CREDITS;
            ingressPriorities[port] =
                    reserve(Scope.INGRESS, port, name, PriorityCounter.ingress(credits));
            egressPriorities[port] =
                    reserve(Scope.EGRESS, port, name, PriorityCounter.egress(credits));
        }
        congestion[port] =
                reserve(Scope.EGRESS, port, name, Congestion.counters(config.mechanisms()));
        QueueCounters.Layout counted = queueLayouts[port];
        queues[port] = counted == null ? NONE : reserve(Scope.EGRESS, port, name, counted.ids());
        LinkMechanisms links = new LinkMechanisms(config);
        linkReceived[port] = reserve(Scope.INGRESS, port, name, links.counters(true));
        linkSent[port] = reserve(Scope.EGRESS, port, name, links.counters(false));
    }

    private int reserve(Scope scope, int port, String portName, List<? extends CounterId> ids) {
        return ids.isEmpty() ? NONE : directory.reserve(scope, port, portName, ids);
    }

    CounterDirectory directory() {
        return directory;
    }

    CounterBlock ingress(int port) {
        return directory.block(ingress[port]);
    }

    /** What a port's ingress half counts. */
    HalfSetup.Counts ofIngress(int port) {
        return new HalfSetup.Counts(
                ingress(port),
                directory.drops(true, ingressDrops[port]),
                blockOf(ingressPriorities[port]),
                blockOf(linkReceived[port]),
                null,
                null);
    }

    /** What a port's egress half counts. */
    HalfSetup.Counts ofEgress(int port) {
        QueueCounters.Layout counted = queueLayouts[port];
        return new HalfSetup.Counts(
                directory.block(egress[port]),
                directory.drops(false, egressDrops[port]),
                blockOf(egressPriorities[port]),
                blockOf(linkSent[port]),
                blockOf(congestion[port]),
                counted == null ? null : new QueueCounters(directory.block(queues[port]), counted));
    }

    private @Nullable CounterBlock blockOf(int reservation) {
        return reservation == NONE ? null : directory.block(reservation);
    }

    CounterBlock worker(int worker) {
        return directory.block(workers[worker]);
    }

    /** A block of what is counted of the whole. */
    CounterBlock own(int block) {
        return directory.block(own[block]);
    }
}
