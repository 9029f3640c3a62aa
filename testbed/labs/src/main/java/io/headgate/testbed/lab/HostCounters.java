package io.headgate.testbed.lab;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.Balance.HostFrames;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Reads the counters of the hosts' own kernels, for comparison with the switches' counters. */
final class HostCounters {
    private static final long SETTLE_NS = 30_000_000_000L;
    private static final long QUIET_NS = 100_000_000;

    private final NetnsNetwork network;
    private final int hosts;

    HostCounters(NetnsNetwork network) {
        this.network = network;
        this.hosts = network.plan().hosts().size();
    }

    record Baseline(List<HostFrames> hosts, LabCounters counters) {}

    /**
     * Counters of hosts and switches at a moment when nothing was under way. That hosts send
     * nothing is not enough: routers ask each other for addresses, and a frame that was inside a
     * switch at that moment would have left it without having come in.
     */
    Baseline baseline(LabSwitches switches) throws BedException {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (true) {
            Baseline now = new Baseline(frames(), LabCounters.of(switches));
            LockSupport.parkNanos(2 * QUIET_NS);
            Balance sinceStart = Balance.of(now.counters, now.hosts, now.hosts);
            boolean isAtRest =
                    sinceStart.insideFrames() == 0
                            && frames().equals(now.hosts)
                            && balance(switches, now).isAtRest();
            if (isAtRest || System.nanoTime() - endNs > 0) {
                return now;
            }
        }
    }

    private List<HostFrames> frames() throws BedException {
        List<HostFrames> frames = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            LinuxInterface.Statistics seen = network.hostInterface(host).statistics();
            frames.add(new HostFrames(seen.transmittedFrames(), seen.receivedFrames()));
        }
        return frames;
    }

    /** The balance as it is now. */
    Balance balance(LabSwitches switches, Baseline baseline) throws BedException {
        LabCounters counters = LabCounters.of(switches).since(baseline.counters);
        return Balance.of(counters, baseline.hosts, frames());
    }

    /** The balance once all is at rest, or the present one if that does not happen. */
    Balance settle(LabSwitches switches, Baseline baseline) throws BedException {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (true) {
            Balance balance = balance(switches, baseline);
            if (balance.holds() || System.nanoTime() - endNs > 0) {
                return balance;
            }
            LockSupport.parkNanos(QUIET_NS);
        }
    }

    /** Datagrams that the hosts' own sockets had no room for: RcvbufErrors of proc_net_snmp(5). */
    long socketDrops() throws BedException {
        long sum = 0;
        for (int host = 0; host < hosts; host++) {
            sum += socketDrops(host);
        }
        return sum;
    }

    long socketDrops(int host) throws BedException {
        return inHost(host, () -> column(lines("snmp"), "Udp:", "RcvbufErrors"));
    }

    /** Packets that a host's transport protocols and IPv6 have sent. */
    long sentPackets(int host) throws BedException {
        return inHost(
                host,
                () -> {
                    List<String> four = lines("snmp");
                    long six =
                            lines("snmp6").stream()
                                    .filter(line -> line.startsWith("Ip6OutRequests"))
                                    .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                                    .sum();
                    return column(four, "Udp:", "OutDatagrams")
                            + column(four, "Tcp:", "OutSegs")
                            + six;
                });
    }

    /**
     * Datagrams that came to a host and were never read, though their sockets had room: the sockets
     * were closed, or about to be.
     */
    long lateDatagrams(int host) throws BedException {
        return inHost(
                host,
                () -> {
                    List<String> four = lines("snmp");
                    return column(four, "Ip:", "InDelivers")
                            - column(four, "Tcp:", "InSegs")
                            - column(four, "Icmp:", "InMsgs")
                            - column(four, "Udp:", "InDatagrams")
                            - column(four, "Udp:", "RcvbufErrors");
                });
    }

    private long inHost(int host, NetworkNamespace.Work<Long> work) throws BedException {
        try {
            return NetworkNamespace.call(network.hostNetns(host), work);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /**
     * Lines of a file of proc_net_snmp(5); empty if the kernel has no such file, as without IPv6.
     */
    private static List<String> lines(String file) throws DeviceException {
        try {
            // thread-self: the plain /proc/net is that of the process, in its first namespace.
            return Files.readAllLines(Path.of("/proc/thread-self/net", file));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new DeviceException("cannot read a host's statistics: " + Reason.of(e), e);
        }
    }

    /**
     * Value of a column: in a pair of lines with the same start, the first has the names, the
     * second the values.
     */
    private static long column(List<String> snmp, String protocol, String name) {
        List<String> both = snmp.stream().filter(line -> line.startsWith(protocol)).toList();
        List<String> names = both.isEmpty() ? List.of() : List.of(both.getFirst().split(" "));
        int column = names.indexOf(name);
        return column < 0 ? 0 : Long.parseLong(both.getLast().split(" ")[column]);
    }
}
