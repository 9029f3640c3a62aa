package io.headgate.dataplane.local;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.RouteTable;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.Arp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.NeighborDiscovery;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The only writer of a router's neighbour table: requests MAC addresses by ARP and neighbour
 * solicitation, again after the configured time without a sign of a neighbour, and gives a
 * neighbour up after three requests without an answer (like RFC 4861 section 7.3, for both). Next
 * hops of routes are requested as soon as a route names them, and not given up while any does.
 * Entries that are in the table at the start come from the configuration, and are neither requested
 * nor changed. Owned by the local port's worker.
 *
 * <p>Bounded by the table, and per ingress port by a {@link ResolutionBudget}. The table is scanned
 * every 100 ms, a part of it in each call.
 */
public final class Neighbours {
    private static final int MAX_REQUESTS = 3;
    private static final long NS_PER_MS = 1_000_000;
    private static final long RETRY_NS = 1000 * NS_PER_MS;
    private static final long SWEEP_INTERVAL_NS = 100 * NS_PER_MS;

    /** Maximum number of slots looked at in one call: the size of the default table. */
    private static final int SWEEP_SLOTS = 8192;

    /** Maximum number of neighbours requested or given up per call: the number of buffers. */
    private static final int DUE_BURST = LocalBuffers.COUNT;

    /** Who caused an entry of the configuration. */
    private static final int NOBODY = -1;

    private final NeighbourTable table;
    private final SwitchAddresses addresses;
    private final LocalBuffers buffers;
    private final MemorySegment segment;
    private final CounterBlock counters;
    private long timeoutNs;
    private final RouterSlowPath waiting;

    // By slot of the table.
    private final long[] nextNs;
    private final int[] requests;
    private final boolean[] configured;
    private final boolean[] given;

    /** The ingress port that each is charged to. */
    private final int[] causes;

    private final ResolutionBudget budget;

    // The next look at the table, or the one under way, which began at a time and has come so far.
    private long sweepNs = Long.MAX_VALUE;
    private long sweptFromNs;
    private int sweepAt;

    Neighbours(
            NeighbourTable table,
            SwitchAddresses addresses,
            LocalBuffers buffers,
            CounterBlock counters,
            long timeoutNs,
            RouterSlowPath waiting) {
        this.table = table;
        this.addresses = addresses;
        this.buffers = buffers;
        this.segment = buffers.segment();
        this.counters = counters;
        this.timeoutNs = timeoutNs;
        this.waiting = waiting;
        this.nextNs = new long[table.slots()];
        this.requests = new int[table.slots()];
        this.configured = new boolean[table.slots()];
        this.given = new boolean[table.slots()];
        this.causes = new int[table.slots()];
        this.budget = new ResolutionBudget(addresses.ports());
        Arrays.fill(causes, NOBODY);
        for (int slot = 0; slot < given.length; slot++) {
            given[slot] = table.isUsed(slot);
        }
        Arrays.fill(nextNs, Long.MAX_VALUE);
    }

    /**
     * Called at start and when routes change: keeps requesting exactly the next hops that the
     * routes name.
     */
    public void nextHops(RouteTable routes) {
        boolean[] before = configured.clone();
        Arrays.fill(configured, false);
        for (int group = 0; group < routes.groups(); group++) {
            for (int hop = 0; hop < routes.hops(group); hop++) {
                long high = routes.high(group, hop);
                long low = routes.low(group, hop);
                int port = routes.port(group, hop);
                if (high != 0 || low != 0) {
                    nextHop(port, high, low);
                }
            }
        }
        for (int slot = 0; slot < before.length; slot++) {
            if (before[slot] && !configured[slot]) {
                // What it has said stands for its time; then it is given up, not asked for.
                requests[slot] = MAX_REQUESTS;
                if (table.mac(slot) == 0) {
                    nextNs[slot] = 0;
                    sweepNs = 0;
                }
            }
        }
    }

    private void nextHop(int port, long high, long low) {
        int slot = table.find(port, high, low);
        if (slot < 0) {
            slot = table.add(port, high, low);
            if (slot < 0) {
                return;
            }
            requests[slot] = 0;
            nextNs[slot] = 0;
            sweepNs = 0;
        } else if (given[slot]) {
            return;
        } else {
            requests[slot] = Math.min(requests[slot], MAX_REQUESTS - 1);
            discharge(slot);
        }
        configured[slot] = true;
    }

    /** No port has caused the entry any more. */
    private void discharge(int slot) {
        int cause = causes[slot];
        if (cause != NOBODY) {
            if (table.mac(slot) == 0) {
                budget.answered(cause);
            }
            budget.removed(cause);
            causes[slot] = NOBODY;
        }
    }

    /**
     * Changes the time between requests; for neighbours that have answered, the next request is not
     * later than before.
     */
    public void timeout(long newTimeoutNs) {
        long sooner = Math.max(0, timeoutNs - newTimeoutNs);
        timeoutNs = newTimeoutNs;
        for (int slot = 0; slot < nextNs.length; slot++) {
            if (nextNs[slot] != Long.MAX_VALUE && table.mac(slot) != 0 && requests[slot] == 0) {
                nextNs[slot] -= sooner;
            }
        }
    }

    /** When {@link #doWork} has something to do, in ns; MAX_VALUE: never. */
    public long deadlineNs() {
        return sweepNs;
    }

    /**
     * Sends the requests that are due and gives neighbours up, or does a part of it, and is then
     * due again at once.
     */
    public int doWork(long nowNs) {
        if (sweepNs - nowNs > 0) {
            return 0;
        }
        if (sweepAt == 0) {
            sweptFromNs = nowNs;
        }
        int end = Math.min(nextNs.length, sweepAt + SWEEP_SLOTS);
        int slot = sweepAt;
        for (int dues = 0; slot < end && dues < DUE_BURST; slot++) {
            if (nextNs[slot] <= nowNs) {
                due(nowNs, slot);
                dues++;
            }
        }
        sweepAt = slot < nextNs.length ? slot : 0;
        if (sweepAt == 0) {
            sweepNs = table.size() == 0 ? Long.MAX_VALUE : sweptFromNs + SWEEP_INTERVAL_NS;
        }
        counters.set(ForwardingCounter.NEIGHBOURS, table.size());
        return 1;
    }

    private void due(long nowNs, int slot) {
        if (requests[slot] < MAX_REQUESTS) {
            ask(nowNs, slot);
            return;
        }
        boolean wasKnown = table.mac(slot) != 0;
        if (wasKnown || !configured[slot]) {
            counters.add(ForwardingCounter.NEIGHBOURS_LOST, 1);
        }
        waiting.lost(nowNs, slot);
        if (configured[slot]) {
            table.setMac(slot, 0);
            ask(nowNs, slot);
            return;
        }
        discharge(slot);
        nextNs[slot] = Long.MAX_VALUE;
        table.remove(slot);
    }

    /**
     * Starts a request for an unknown neighbour, or finds the one in progress.
     *
     * @param ingressPort ingress port of the packet
     * @return the neighbour's number in the table, or -1 if the table or the port already has too
     *     many
     */
    int resolve(long nowNs, int ingressPort, int port, long high, long low) {
        int slot = table.find(port, high, low);
        if (slot >= 0) {
            return slot;
        }
        if (!budget.mayAdd(ingressPort, table.free()) || !budget.mayAsk(nowNs, ingressPort)) {
            counters.add(ForwardingCounter.NEIGHBOURS_REFUSED, 1);
            return -1;
        }
        slot = add(nowNs, ingressPort, port, high, low);
        ask(nowNs, slot);
        return slot;
    }

    /** Adds a neighbour for which the table has room. */
    private int add(long nowNs, int cause, int port, long high, long low) {
        int slot = table.add(port, high, low);
        configured[slot] = false;
        requests[slot] = 0;
        causes[slot] = cause;
        budget.added(cause);
        if (sweepNs == Long.MAX_VALUE) {
            sweepNs = nowNs + SWEEP_INTERVAL_NS;
        }
        counters.set(ForwardingCounter.NEIGHBOURS, table.size());
        return slot;
    }

    /**
     * Notes the MAC address that a neighbour has announced.
     *
     * @param mayAdd whether it addressed us, so that we shall need its address
     */
    void heard(long nowNs, int port, long high, long low, long mac, boolean mayAdd) {
        int slot = table.find(port, high, low);
        if (slot >= 0 && given[slot]) {
            return;
        }
        if (slot < 0) {
            if (!mayAdd
                    || addresses.onLink(port, high, low) < 0
                    || addresses.isAt(port, high, low)) {
                return;
            }
            if (!budget.mayAdd(port, table.free())) {
                counters.add(ForwardingCounter.NEIGHBOURS_REFUSED, 1);
                return;
            }
            slot = add(nowNs, port, port, high, low);
        }
        boolean wasKnown = table.mac(slot) != 0;
        if (!wasKnown || table.mac(slot) != mac) {
            table.setMac(slot, mac);
        }
        requests[slot] = 0;
        nextNs[slot] = nowNs + timeoutNs;
        if (!wasKnown) {
            if (causes[slot] != NOBODY) {
                budget.answered(causes[slot]);
            }
            counters.add(ForwardingCounter.NEIGHBOURS_LEARNED, 1);
            waiting.resolved(nowNs, slot);
        }
    }

    private void ask(long nowNs, int slot) {
        nextNs[slot] = nowNs + RETRY_NS;
        int port = table.port(slot);
        long high = table.high(slot);
        long low = table.low(slot);
        int own = addresses.onLink(port, high, low);
        if (own < 0) {
            requests[slot]++;
            return;
        }
        Frame frame = buffers.originate();
        if (frame == null) {
            // It was not asked, so that it cannot be taken for one that does not answer.
            nextNs[slot] = nowNs + SWEEP_INTERVAL_NS;
            return;
        }
        requests[slot]++;
        counters.add(ForwardingCounter.NEIGHBOUR_REQUESTS, 1);
        Ethernet.source(segment, frame.dataOffset, addresses.mac(port));
        int bytes =
                IpAddress.isIpv4(high, low)
                        ? writeArp(frame, port, own, (int) low)
                        : writeSolicitation(frame, port, own, high, low);
        buffers.leave(frame, bytes, port);
    }

    private int writeArp(Frame frame, int port, int own, int target) {
        Ethernet.destination(segment, frame.dataOffset, MacAddress.BROADCAST);
        Ethernet.etherType(segment, frame.dataOffset, EtherType.ARP);
        long arp = frame.dataOffset + Ethernet.HEADER_BYTES;
        int source = (int) addresses.low(port, own);
        Arp.write(segment, arp, Arp.REQUEST, addresses.mac(port), source, 0, target);
        return Ethernet.HEADER_BYTES + Arp.MESSAGE_BYTES;
    }

    private int writeSolicitation(Frame frame, int port, int own, long high, long low) {
        long group = IpAddress.solicitedNodeLow(low);
        Ethernet.destination(segment, frame.dataOffset, IpAddress.groupMac(group));
        Ethernet.etherType(segment, frame.dataOffset, EtherType.IPV6);
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        long icmp = ip + Ipv6.HEADER_BYTES;
        int bytes = NeighborDiscovery.WITH_OPTION_BYTES;
        Ipv6.write(segment, ip, 0, bytes, IpProtocol.ICMPV6, NeighborDiscovery.HOP_LIMIT);
        Ipv6.source(segment, ip, addresses.high(port, own), addresses.low(port, own));
        Ipv6.destination(segment, ip, IpAddress.SOLICITED_NODE_HIGH, group);
        long mac = addresses.mac(port);
        NeighborDiscovery.write(segment, icmp, NeighborDiscovery.SOLICITATION, 0, high, low, mac);
        Icmp.writeChecksumIpv6(segment, ip, icmp, bytes);
        return Ethernet.HEADER_BYTES + Ipv6.HEADER_BYTES + bytes;
    }
}
