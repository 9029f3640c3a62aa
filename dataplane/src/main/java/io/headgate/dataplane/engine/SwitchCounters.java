package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.engine.counter.CounterBlock;
import io.headgate.dataplane.engine.counter.CounterDirectory;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.DropCounters;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.ForwardingCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import java.util.List;

/** The counters of a switch: first all are reserved, then, once they have memory, handed out. */
final class SwitchCounters {
    private final CounterDirectory directory = new CounterDirectory();
    private final int[] ingress;
    private final int[] ingressDrops;
    private final int[] egress;
    private final int[] egressDrops;
    private final int[] workers;
    private final int forwarding;

    SwitchCounters(String switchName, List<PortConfig> ports, int workers) {
        this.ingress = new int[ports.size()];
        this.ingressDrops = new int[ports.size()];
        this.egress = new int[ports.size()];
        this.egressDrops = new int[ports.size()];
        this.workers = new int[workers];
        List<IngressCounter> ingressIds = List.of(IngressCounter.values());
        List<EgressCounter> egressIds = List.of(EgressCounter.values());
        for (int port = 0; port < ports.size(); port++) {
            String name = ports.get(port).name();
            ingress[port] = directory.reserve(Scope.INGRESS, port, name, ingressIds);
            ingressDrops[port] = directory.reserveDrops(true, port, name);
            egress[port] = directory.reserve(Scope.EGRESS, port, name, egressIds);
            egressDrops[port] = directory.reserveDrops(false, port, name);
        }
        List<WorkerCounter> workerIds = List.of(WorkerCounter.values());
        for (int worker = 0; worker < workers; worker++) {
            this.workers[worker] =
                    directory.reserve(Scope.WORKER, worker, "worker " + worker, workerIds);
        }
        List<ForwardingCounter> forwardingIds = List.of(ForwardingCounter.values());
        forwarding = directory.reserve(Scope.SWITCH, 0, switchName, forwardingIds);
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

    CounterBlock worker(int worker) {
        return directory.block(workers[worker]);
    }

    CounterBlock forwarding() {
        return directory.block(forwarding);
    }
}
