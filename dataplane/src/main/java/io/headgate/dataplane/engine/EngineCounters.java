package io.headgate.dataplane.engine;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.counter.WorkerCounter;
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
    private final int[] linkReceived;
    private final int[] linkSent;
    private final int[] workers;
    private final int[] own;

    /**
     * @param ownIds what is counted of the whole, beside ports and workers, in blocks
     */
    EngineCounters(
            String name,
            List<PortConfig> ports,
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
        this.linkReceived = new int[ports.size()];
        this.linkSent = new int[ports.size()];
        this.workers = new int[workers];
        List<IngressCounter> ingressIds = List.of(IngressCounter.values());
        List<EgressCounter> egressIds = List.of(EgressCounter.values());
        for (int port = 0; port < ports.size(); port++) {
            String portName = ports.get(port).name();
            ingress[port] = directory.reserve(Scope.INGRESS, port, portName, ingressIds);
            ingressDrops[port] = directory.reserveDrops(true, port, portName);
            egress[port] = directory.reserve(Scope.EGRESS, port, portName, egressIds);
            egressDrops[port] = directory.reserveDrops(false, port, portName);
            boolean counted = PortFlowControl.isConfigured(ports.get(port));
            boolean credits = ports.get(port).flowControl().mode() == Mode.CREDITS;
            ingressPriorities[port] =
                    counted
                            ? directory.reserve(
                                    Scope.INGRESS, port, portName, PriorityCounter.ingress(credits))
                            : NONE;
            egressPriorities[port] =
                    counted
                            ? directory.reserve(
                                    Scope.EGRESS, port, portName, PriorityCounter.egress(credits))
                            : NONE;
            congestion[port] =
                    reserve(
                            Scope.EGRESS,
                            port,
                            portName,
                            Congestion.counters(ports.get(port).mechanisms()));
            queues[port] =
                    reserve(
                            Scope.EGRESS,
                            port,
                            portName,
                            QueueCounters.ids(ports.get(port).mechanisms()));
            LinkMechanisms links = new LinkMechanisms(ports.get(port));
            linkReceived[port] = reserve(Scope.INGRESS, port, portName, links.counters(true));
            linkSent[port] = reserve(Scope.EGRESS, port, portName, links.counters(false));
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

    private int reserve(Scope scope, int port, String portName, List<CounterId> ids) {
        return ids.isEmpty() ? NONE : directory.reserve(scope, port, portName, ids);
    }

    CounterDirectory directory() {
        return directory;
    }

    CounterBlock ingress(int port) {
        return directory.block(ingress[port]);
    }

    DropCounters ingressDrops(int port) {
        return directory.drops(true, ingressDrops[port]);
    }

    CounterBlock egress(int port) {
        return directory.block(egress[port]);
    }

    DropCounters egressDrops(int port) {
        return directory.drops(false, egressDrops[port]);
    }

    /** What an ingress half counts for each priority; null if the port has no flow control. */
    @Nullable CounterBlock ingressPriorities(int port) {
        return blockOf(ingressPriorities[port]);
    }

    /** The same of an egress half. */
    @Nullable CounterBlock egressPriorities(int port) {
        return blockOf(egressPriorities[port]);
    }

    /** What the congestion points of a port count; null if it has none. */
    @Nullable CounterBlock congestion(int port) {
        return blockOf(congestion[port]);
    }

    /** What a port's queues count by themselves; null if nothing. */
    @Nullable CounterBlock queues(int port) {
        return blockOf(queues[port]);
    }

    /** What the receiving ends of a port's link mechanisms count; null if nothing. */
    @Nullable CounterBlock linkReceived(int port) {
        return blockOf(linkReceived[port]);
    }

    /** The same of their sending ends. */
    @Nullable CounterBlock linkSent(int port) {
        return blockOf(linkSent[port]);
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
