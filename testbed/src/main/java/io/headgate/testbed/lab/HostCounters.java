package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.device.linux.NetworkNamespace;
import io.headgate.testbed.lab.Balance.HostFrames;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What the hosts' own kernels count, which the switch's counters are laid beside. */
final class HostCounters {
    private static final long SETTLE_NS = 5_000_000_000L;
    private static final long QUIET_NS = 100_000_000;

    private final NetnsBed bed;
    private final int hosts;

    HostCounters(NetnsBed bed, int hosts) {
        this.bed = bed;
        this.hosts = hosts;
    }

    record Baseline(List<HostFrames> hosts, CounterSnapshot counters) {}

    /** Counters of hosts and switch at a moment when nothing was under way. */
    Baseline baseline(RunningSwitch running) throws BedException {
        List<HostFrames> before = frames();
        for (long endNs = System.nanoTime() + SETTLE_NS; System.nanoTime() - endNs < 0; ) {
            CounterSnapshot counters = running.counters();
            LockSupport.parkNanos(2 * QUIET_NS);
            List<HostFrames> again = frames();
            if (again.equals(before)) {
                return new Baseline(before, counters);
            }
            before = again;
        }
        return new Baseline(before, running.counters());
    }

    private List<HostFrames> frames() throws BedException {
        List<HostFrames> frames = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            LinuxInterface.Statistics seen = bed.hostInterface(host).statistics();
            frames.add(new HostFrames(seen.transmittedFrames(), seen.receivedFrames()));
        }
        return frames;
    }

    /** The balance once all is at rest, or as it is when that does not come about. */
    Balance settle(RunningSwitch started, Baseline baseline) throws BedException {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (true) {
            CounterSnapshot counters = started.counters().since(baseline.counters);
            Balance balance = Balance.of(counters, baseline.hosts, frames());
            if (balance.holds() || System.nanoTime() - endNs > 0) {
                return balance;
            }
            LockSupport.parkNanos(QUIET_NS);
        }
    }

    /** Datagrams that the hosts' own sockets had no room for: RcvbufErrors of proc_net_snmp(5). */
    long socketDrops() throws BedException {
        long sum = 0;
        for (int host = 1; host <= hosts; host++) {
            try {
                sum += NetworkNamespace.call(bed.plan().hostNetns(host), HostCounters::udpErrors);
            } catch (DeviceException e) {
                throw new BedException(e);
            }
        }
        return sum;
    }

    private static long udpErrors() throws DeviceException {
        List<String> udp;
        try {
            // thread-self: the plain /proc/net is that of the process, in its first namespace.
            udp =
                    Files.readAllLines(Path.of("/proc/thread-self/net/snmp")).stream()
                            .filter(line -> line.startsWith("Udp:"))
                            .toList();
        } catch (IOException e) {
            throw new DeviceException("cannot read a host's UDP statistics: " + e, e);
        }
        List<String> names = udp.isEmpty() ? List.of() : List.of(udp.getFirst().split(" "));
        int column = names.indexOf("RcvbufErrors");
        return column < 0 ? 0 : Long.parseLong(udp.getLast().split(" ")[column]);
    }
}
