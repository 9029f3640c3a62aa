package io.headgate.testbed.lab.rdma;

import io.headgate.config.HostConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.RdmaSession;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.topology.HostPlan;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a lab that speak RoCEv2, and their flows: each flow is a client at one host and a
 * server at the other, and a host may be at the ends of several. Used by the lab's thread.
 */
public final class RdmaHosts {
    private static final long PATIENCE_NS = 30_000_000_000L;
    private static final long LOOK_NS = 10_000_000L;
    private static final long NS_PER_MS = 1_000_000L;
    private static final double MS_PER_S = 1e3;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    /** The result of a flow, for programs; times are those of messages. */
    record Result(
            String from,
            String to,
            String verb,
            String transport,
            String control,
            double startSeconds,
            double seconds,
            double receivedBps,
            long messages,
            double medianMs,
            double p99Ms,
            long packetsRepeated,
            @Nullable String problem) {}

    /** A flow, and the places of its two ends among those of their hosts. */
    private record Placed(RdmaFlow flow, AtomicBoolean mayBegin, int client, int server) {}

    /** Starts the endpoints of a host. */
    @FunctionalInterface
    public interface Starter {
        RdmaSession start(HostConfig.Nic nic, List<RdmaSetup.End> ends) throws BedException;
    }

    private final List<HostPlan> plan;
    private final List<Placed> flows = new ArrayList<>();

    // By host; a session once it is started.
    private final Map<Integer, List<RdmaSetup.End>> ends = new LinkedHashMap<>();
    private final Map<Integer, RdmaSession> sessions = new LinkedHashMap<>();

    /** The hosts of these flows; none where there are none. */
    public RdmaHosts(List<RdmaFlow> flows, List<HostPlan> plan) {
        this.plan = plan;
        for (RdmaFlow flow : flows) {
            int service = RdmaSetup.USUAL_SERVICE + this.flows.size();
            AtomicBoolean mayBegin = new AtomicBoolean();
            int server = add(flow.to(), flow, service, server(flow));
            int client = add(flow.from(), flow, service, client(flow, mayBegin::get));
            this.flows.add(new Placed(flow, mayBegin, client, server));
        }
    }

    private int add(int host, RdmaFlow flow, int service, RdmaSetup.Role role) {
        List<RdmaSetup.End> own = ends.computeIfAbsent(host, _ -> new ArrayList<>());
        HostPlan at = plan.get(host);
        own.add(
                new RdmaSetup.End(
                        new RdmaSetup(
                                at.mac(),
                                ipv4(at.address()),
                                at.rateBps(),
                                RdmaSetup.largestMtu(at.mtuBytes()),
                                flow.dscp(),
                                service,
                                flow.timeoutNs() > 0
                                        ? flow.timeoutNs()
                                        : RdmaSetup.usualTimeoutNs(at.rateBps()),
                                RdmaSetup.USUAL_RETRIES,
                                flow.reordering(),
                                flow.control()),
                        role));
        return own.size() - 1;
    }

    private static RdmaSetup.Role server(RdmaFlow flow) {
        return new RdmaSetup.Server(flow.test(), 1, flow.memoryBytes());
    }

    /** Where switches do not flood, and so always, MAC addresses are those of the plan. */
    private RdmaSetup.Role client(RdmaFlow flow, BooleanSupplier mayBegin) {
        HostPlan from = plan.get(flow.from());
        HostPlan to = plan.get(flow.to());
        int server = ipv4(to.address());
        InetAddress router = from.gateway();
        return new RdmaSetup.Client(
                new PerfPlan(
                        flow.test(),
                        flow.messageBytes(),
                        0,
                        flow.durationMs() * NS_PER_MS,
                        flow.depth()),
                server,
                router == null ? server : ipv4(router),
                from.hasGateway() ? from.gatewayMac() : to.mac(),
                flow.queuePairs(),
                PATIENCE_NS,
                mayBegin);
    }

    /** An address as endpoints have it. */
    public static int ipv4(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    /** Whether a host speaks RoCEv2, by its number. */
    public boolean has(int host) {
        return ends.containsKey(host);
    }

    /**
     * Starts them. Connections are made, and nothing is sent.
     *
     * @param cards of all hosts, by their numbers
     */
    public void start(HostConfig cards, Starter starter) throws BedException {
        for (Map.Entry<Integer, List<RdmaSetup.End>> host : ends.entrySet()) {
            HostConfig.Nic nic = cards.nics().get(host.getKey());
            sessions.put(host.getKey(), starter.start(nic, host.getValue()));
        }
    }

    /** Lets a flow begin, by its number from 0. */
    public void begin(int flow) {
        flows.get(flow).mayBegin.set(true);
    }

    /** What a host's card has counted. */
    public CounterSnapshot counters(int host) {
        return session(host).counters();
    }

    private RdmaSession session(int host) {
        RdmaSession session = sessions.get(host);
        if (session == null) {
            throw new IllegalStateException("host " + host + " has no endpoints");
        }
        return session;
    }

    /** What became of an end; null: it goes on. */
    public static @Nullable RdmaReport report(RdmaSession session, int end) throws BedException {
        try {
            return session.report(end);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** What came for an endpoint that had ended: the last acknowledgement, mostly. */
    public static boolean isOfEnded(CounterSnapshot.Drop drop, String host) {
        return drop.reason().equals(DropReason.PORT_DOWN.name())
                && drop.port().equals(CardSetup.application(host));
    }

    /**
     * Waits until all flows have come to their ends, and reports them.
     *
     * @param isClosed whether the lab is being closed
     * @return what each received
     */
    public List<RdmaFlow.Received> report(RunReport report, BooleanSupplier isClosed)
            throws BedException {
        if (flows.isEmpty()) {
            return List.of();
        }
        List<RdmaFlow.Received> received = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        Table table = LabColumn.table(Of.RDMA);
        long endNs = System.nanoTime() + PATIENCE_NS;
        for (Placed flow : flows) {
            RdmaReport client = await(flow.flow.from(), flow.client, endNs, isClosed);
            RdmaReport server = await(flow.flow.to(), flow.server, endNs, isClosed);
            Result result = result(flow.flow, client, server);
            results.add(result);
            received.add(new RdmaFlow.Received(flow.flow, result.receivedBps));
            table.row(
                    result.from + "→" + result.to,
                    result.verb,
                    result.control,
                    String.format(Locale.ROOT, "%.1f", result.startSeconds),
                    String.format(Locale.ROOT, "%.1f", result.receivedBps / 1e6),
                    Long.toString(result.messages),
                    String.format(Locale.ROOT, "%.2f", result.medianMs),
                    String.format(Locale.ROOT, "%.2f", result.p99Ms),
                    Long.toString(result.packetsRepeated));
            String name = "the RDMA flow " + result.from + "→" + result.to;
            if (result.problem != null) {
                report.problem(name + " failed: " + result.problem);
            } else if (result.receivedBps <= 0) {
                report.problem(name + " carried nothing");
            }
        }
        report.add(new Section(Of.RDMA.section(), results, table));
        report.headline(
                "received of RDMA flows (payload, each in its time)",
                Numbers.rate(results.stream().mapToDouble(Result::receivedBps).sum()));
        report.headline(
                "sent again (RDMA)",
                results.stream().mapToLong(Result::packetsRepeated).sum() + " packets");
        return received;
    }

    private @Nullable RdmaReport await(int host, int end, long endNs, BooleanSupplier isClosed)
            throws BedException {
        while (true) {
            RdmaReport report = report(session(host), end);
            if (report != null || System.nanoTime() - endNs > 0) {
                return report;
            }
            if (isClosed.getAsBoolean()) {
                throw new BedException("the lab is being closed");
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private Result result(RdmaFlow flow, @Nullable RdmaReport client, @Nullable RdmaReport server) {
        String problem = client == null ? "it did not end" : client.failure();
        if (problem == null && server != null) {
            problem = server.failure();
        }
        Histogram times = new Histogram(3);
        long messages = 0;
        long repeats = 0;
        if (client != null) {
            for (RdmaReport.Connection one : client.connections()) {
                times.add(one.timesNs());
                messages += one.messages();
                repeats += one.repeats();
            }
        }
        RdmaReport received = server == null ? client : server;
        return new Result(
                plan.get(flow.from()).name(),
                plan.get(flow.to()).name(),
                flow.verb(),
                flow.transport(),
                flow.controlName(),
                flow.startMs() / 1e3,
                flow.durationMs() / MS_PER_S,
                received == null ? 0 : received.goodputBps(),
                messages,
                times.getValueAtPercentile(MEDIAN) / 1e6,
                times.getValueAtPercentile(TAIL) / 1e6,
                repeats,
                problem);
    }
}
