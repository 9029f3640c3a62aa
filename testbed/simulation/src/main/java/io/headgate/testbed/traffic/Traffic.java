package io.headgate.testbed.traffic;

import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of one run: its hosts, their flows and sources, and their results. Hosts are numbered
 * in the order in which they are added. Used by one thread. Only the hosts' devices may be called
 * by several threads, each by the thread of its part.
 */
public final class Traffic {
    /**
     * The options of hosts.
     *
     * @param retransmissionTimeoutPs time that a windowed flow waits for an acknowledgement before
     *     it sends again, in ps, at least 1 us
     * @param checksums whether UDP checksums are sent, and frames with a wrong one discarded; for
     *     runs in which links corrupt frames
     */
    public record Options(long retransmissionTimeoutPs, boolean checksums) {
        /** 10 ms, no checksums. */
        public static final Options DEFAULT = new Options(10_000_000_000L, false);

        /** The options for a run that is slower by a factor. */
        public Options scaledBy(int scale) {
            return new Options(Math.multiplyExact(retransmissionTimeoutPs, scale), checksums);
        }

        private static final long MIN_TIMEOUT_PS = 1_000_000;

        /**
         * @throws IllegalArgumentException if the time-out is out of its range
         */
        public Options {
            if (retransmissionTimeoutPs < MIN_TIMEOUT_PS) {
                throw new IllegalArgumentException(
                        "retransmission after "
                                + retransmissionTimeoutPs
                                + " ps; allowed are 1 us and more");
            }
        }
    }

    private static final int MAX_HOSTS = 1 << 16;

    private final TrafficHosts hosts;
    private final Options options;
    private final List<TrafficDevice> devices = new ArrayList<>();
    private final Map<String, FlowGroup> groupsByName = new HashMap<>();
    private final Map<String, Integer> owners = new HashMap<>();
    private final List<Flow> flows = new ArrayList<>();

    /**
     * @param seed the run's seed, for all random numbers
     * @param clockPs the run's time in ps, read when frames arrive
     * @param apartPs largest time difference between hosts, in ps; 0: none
     * @param wire bytes that a frame occupies on the links, for patterns with a rate
     */
    public Traffic(
            long seed,
            LongSupplier clockPs,
            LongSupplier apartPs,
            WireFormat wire,
            Options options) {
        this.hosts = new TrafficHosts(seed, clockPs, apartPs, wire, options.checksums());
        this.options = options;
    }

    /**
     * Adds a host; the caller attaches its device to both halves of its network card's app port.
     */
    public TrafficDevice addHost(HostAddress address) {
        if (devices.size() == MAX_HOSTS) {
            throw new IllegalArgumentException("more than " + MAX_HOSTS + " hosts");
        }
        TrafficDevice device =
                new TrafficDevice(
                        hosts, address, devices.size(), options.retransmissionTimeoutPs());
        devices.add(device);
        hosts.add(device.self());
        return device;
    }

    /** All hosts, by number. */
    public List<TrafficDevice> devices() {
        return List.copyOf(devices);
    }

    /**
     * Adds flows before the run; some may wait for others of the list.
     *
     * @param start adds one by {@link #start(FlowSpec)} or a similar method; returns null for one
     *     that does not begin in the run; flows that wait for it do not begin either
     * @throws IllegalStateException if one waits for a flow that may be stopped, and several
     *     threads have begun to run the hosts
     */
    public void start(List<FlowSpec> specs, Function<FlowSpec, @Nullable Flow> start) {
        List<@Nullable Flow> begun = new ArrayList<>();
        specs.forEach(spec -> begun.add(start.apply(spec)));
        for (int i = 0; i < specs.size(); i++) {
            FlowSpec spec = specs.get(i);
            Flow flow = begun.get(i);
            if (flow == null || spec.after().isEmpty()) {
                continue;
            }
            FlowStarter starter = devices.get(spec.source()).starter();
            FlowStarter.Held held = starter.new Held(flow, spec.startPs());
            for (FlowSpec.After after : spec.after()) {
                Flow earlier = begun.get(after.flow());
                held.await(earlier, after.delayPs());
                if (earlier != null && earlier.stopPs != Long.MAX_VALUE) {
                    hosts.needOneThread(spec.name());
                }
            }
        }
    }

    /**
     * Adds a flow, before the run or between two parts of it. One that waits for others begins only
     * if {@link #start(List, Function)} adds it.
     *
     * @throws IllegalArgumentException if a host does not exist or its frames would be too long
     */
    public Flow start(FlowSpec spec) {
        requireHosts(spec.name(), spec.source(), List.of(spec.destination()));
        TrafficDevice device = devices.get(spec.source());
        String owner = owner(device, spec.name());
        Flow flow =
                device.starter()
                        .hold(
                                null,
                                group(spec.name()),
                                spec.shape(),
                                spec.destination(),
                                spec.sizeBytes(),
                                spec.windowFrames(),
                                Pacing.of(spec.pattern(), hosts.seed(), owner));
        if (spec.after().isEmpty()) {
            device.starter().release(flow, spec.startPs());
        }
        flow.stopPs = spec.stopPs();
        flows.add(flow);
        device.wake();
        return flow;
    }

    /**
     * Adds a flow whose acknowledgements do not cross the network. Only in a run whose nodes are
     * all at the same time.
     *
     * @param latencyPs time from when its receiver takes a frame until its sender knows it
     * @throws IllegalArgumentException if it has no window
     */
    public Flow start(FlowSpec spec, long latencyPs) {
        if (spec.windowFrames() == FlowSpec.DATAGRAMS || latencyPs < 0) {
            throw new IllegalArgumentException(
                    ("flow %s: acknowledged after %s ps with a window of %s frames; a window of at"
                                    + " least 1 is needed, and a time")
                            .formatted(spec.name(), latencyPs, spec.windowFrames()));
        }
        Flow flow = start(spec);
        TrafficDevice sender = devices.get(spec.source());
        flow.outOfBand = new OutOfBand(flow, sender.scheduler(), sender::wake, hosts, latencyPs);
        return flow;
    }

    /**
     * Adds a source of flows, before the run or between two parts of it.
     *
     * @throws IllegalArgumentException if a host does not exist
     * @throws IllegalStateException if it keeps its connections, and several threads have begun to
     *     run the hosts
     */
    public void start(ArrivalSpec spec) {
        requireHosts(spec.name(), spec.source(), spec.destinations());
        TrafficDevice device = devices.get(spec.source());
        if (spec.process() instanceof ArrivalProcess.ClosedLoop loop && loop.kept()) {
            hosts.needOneThread(spec.name());
        }
        device.begin(spec, group(spec.name()), owner(device, spec.name()));
    }

    private void requireHosts(String name, int source, List<Integer> destinations) {
        for (int host : destinations) {
            if (host < 0 || host >= devices.size() || source < 0 || source >= devices.size()) {
                throw new IllegalArgumentException(
                        "%s: from host %s to host %s; there are hosts 0 to %s"
                                .formatted(name, source, host, devices.size() - 1));
            }
        }
    }

    /**
     * Name of the generator for a source; a second source of the same name at a host gets a name of
     * its own.
     */
    private String owner(TrafficDevice device, String name) {
        String owner = device.address().name() + "/" + name;
        int before = owners.merge(owner, 1, Integer::sum) - 1;
        return before == 0 ? owner : owner + "#" + before;
    }

    /** The group of a name; created if it does not exist. */
    public FlowGroup group(String name) {
        FlowGroup group = groupsByName.get(name);
        if (group == null) {
            group = hosts.addGroup(name);
            groupsByName.put(name, group);
        }
        return group;
    }

    /** All groups, in the order in which they were first named. */
    public List<FlowGroup> groups() {
        return List.copyOf(hosts.groups());
    }

    /** The flows that were added one by one, in that order; those of sources are not among them. */
    public List<Flow> flows() {
        return List.copyOf(flows);
    }

    /**
     * The flow whose number a frame carries; null if it is complete or never was.
     *
     * @param host that sends it
     */
    public @Nullable Flow flow(int host, int number) {
        return hosts.flow(host, number, host, hosts.nowPs());
    }

    /** The UDP source port of a flow's frames and of their acknowledgements. */
    public static int sourcePort(Flow flow) {
        return TrafficHosts.sourcePort(flow);
    }

    /** The kept connections of a group that have something to send. */
    public List<Flow> kept(FlowGroup group) {
        List<Flow> all = new ArrayList<>();
        for (TrafficDevice device : devices) {
            device.self()
                    .flows
                    .showKept((flow, _) -> {
                        if (flow.group == group && flow.nextFrame < flow.totalFrames) {
                            all.add(flow);
                        }
                    });
        }
        return all;
    }

    /** Makes ended flows known to hosts of other parts; call it while no host is called. */
    public void handOver() {
        hosts.handOver();
    }

    /**
     * Sets the ideal times of flows, to which their completion times are compared; call it before
     * flows begin.
     */
    public void measureAgainst(FlowLog.IdealTime idealTime) {
        hosts.measureAgainst(idealTime);
    }

    /**
     * Every flow that has a size and began before a time, complete or not, in the order of their
     * beginnings. A flow that was stopped before all of it was sent never finishes.
     */
    public List<FlowLog.Entry> begun(long beforePs) {
        return hosts.begun(beforePs);
    }

    /** Whether a flow that has a size and began within a period has not arrived completely. */
    public boolean isUnderWay(long fromPs, long untilPs) {
        return hosts.isUnderWay(fromPs, untilPs);
    }

    /** The log of complete flows. */
    public FlowLog log() {
        return hosts.log();
    }
}
