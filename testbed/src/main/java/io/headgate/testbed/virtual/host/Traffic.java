package io.headgate.testbed.virtual.host;

import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.engine.NicEngine;
import io.headgate.dataplane.engine.NicSetup;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.virtual.HostNode;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of one run: its hosts, their flows and sources, and what becomes of them. Hosts are
 * numbered in the order in which they are added. One thread.
 */
public final class Traffic {
    /**
     * How hosts behave.
     *
     * @param retransmissionTimeoutPs how long a windowed flow waits for an acknowledgement before
     *     it sends again, in ps, at least 1 us
     * @param checksums whether UDP checksums are sent, and frames with a wrong one not taken; for
     *     runs in which links corrupt frames
     */
    public record Options(long retransmissionTimeoutPs, boolean checksums) {
        /** 10 ms, no checksums. */
        public static final Options DEFAULT = new Options(10_000_000_000L, false);

        /** The same in a run that is slower by a factor. */
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
    private static final int MIN_SLOTS_PER_PRIORITY = 2;

    private final long seed;
    private final LongSupplier clockPs;
    private final LongSupplier apartPs;
    private final WireFormat wire;
    private final Options options;
    private final List<TrafficDevice> devices = new ArrayList<>();
    private TrafficDevice[] byNumber = {};
    private final Map<String, FlowGroup> groupsByName = new HashMap<>();
    private final List<FlowGroup> groups = new ArrayList<>();
    private final Map<String, Integer> owners = new HashMap<>();
    private final List<Flow> flows = new ArrayList<>();
    private final FrameTemplate template = new FrameTemplate();
    private final FlowLog log = new FlowLog();
    private IdealTime ideal = flow -> 0;

    /**
     * @param seed the run's: what random numbers come from
     * @param clockPs the run's time in ps, asked when frames arrive
     * @param apartPs how far hosts can be apart in time, in ps; 0 if not at all
     * @param wire what a frame occupies on the links, for patterns with a rate
     */
    public Traffic(
            long seed,
            LongSupplier clockPs,
            LongSupplier apartPs,
            WireFormat wire,
            Options options) {
        this.seed = seed;
        this.clockPs = clockPs;
        this.apartPs = apartPs;
        this.wire = wire;
        this.options = options;
    }

    /**
     * The traffic of a run that has not started: with its seed, its clock and its links' format.
     */
    public static Traffic of(VirtualRun run, Options options) {
        VirtualClock clock = run.clock();
        return new Traffic(run.seed(), clock::ps, run::apartPs, run.options().wire(), options);
    }

    /**
     * Adds a host of a run, and puts its device behind its network card. Each priority may take an
     * eighth of the card's slots, at least two: enough to keep the wire busy.
     */
    public TrafficDevice addHost(HostNode node, HostAddress address) {
        TrafficDevice device = addHost(address);
        NicSetup card = node.engine().setup();
        int share = card.slots().app() / FlowScheduler.PRIORITIES;
        device.shareSlots(
                node.ingress(NicEngine.APP).accounts(),
                Math.max(MIN_SLOTS_PER_PRIORITY, share),
                new Classifier(card.wire().traffic()));
        // Two more: the one on the wire, and one whose time is the next nanosecond's.
        long frames = card.slots().app() + 2L;
        long frameBytes = wireBytes(ConfigDefaults.maxFrameBytes(card.mtuBytes()));
        device.bound(WireBound.of(card.rateBps(), frames * frameBytes));
        device.ring(node.appDoorbell());
        node.attachApp(device);
        return device;
    }

    /** Adds a host; its device is to be attached to both halves of its network card's app port. */
    public TrafficDevice addHost(HostAddress address) {
        if (devices.size() == MAX_HOSTS) {
            throw new IllegalArgumentException("more than " + MAX_HOSTS + " hosts");
        }
        TrafficDevice device =
                new TrafficDevice(this, address, devices.size(), options.retransmissionTimeoutPs());
        devices.add(device);
        byNumber = devices.toArray(new TrafficDevice[0]);
        return device;
    }

    TrafficDevice device(int host) {
        return byNumber[host];
    }

    /** All hosts, by number. */
    public List<TrafficDevice> devices() {
        return List.copyOf(devices);
    }

    /**
     * Adds a flow, before the run or between two parts of it.
     *
     * @throws IllegalArgumentException if a host does not exist or its frames would be too long
     */
    public Flow start(FlowSpec spec) {
        requireHosts(spec.name(), spec.source(), List.of(spec.destination()));
        TrafficDevice device = devices.get(spec.source());
        String owner = owner(device, spec.name());
        Flow flow =
                device.beginFlow(
                        null,
                        group(spec.name()),
                        spec.shape(),
                        spec.destination(),
                        spec.startPs(),
                        spec.sizeBytes(),
                        spec.windowFrames(),
                        Pacing.of(spec.pattern(), seed, owner));
        flow.stopPs = spec.stopPs();
        flows.add(flow);
        device.wake();
        return flow;
    }

    /**
     * Adds a source of flows, before the run or between two parts of it.
     *
     * @throws IllegalArgumentException if a host does not exist
     */
    public void start(ArrivalSpec spec) {
        requireHosts(spec.name(), spec.source(), spec.destinations());
        TrafficDevice device = devices.get(spec.source());
        device.begin(spec, group(spec.name()), owner(device, spec.name()));
    }

    private void requireHosts(String name, int source, List<Integer> destinations) {
        for (int host : destinations) {
            if (host < 0 || host >= devices.size() || source < 0 || source >= devices.size()) {
                throw new IllegalArgumentException(
                        name
                                + ": from host "
                                + source
                                + " to host "
                                + host
                                + "; there are hosts 0 to "
                                + (devices.size() - 1));
            }
        }
    }

    /** Whose random numbers are drawn; a second one of a name at a host is told apart. */
    private String owner(TrafficDevice device, String name) {
        String owner = device.address().name() + "/" + name;
        int before = owners.merge(owner, 1, Integer::sum) - 1;
        return before == 0 ? owner : owner + "#" + before;
    }

    /** The group of a name, made if there is none. */
    public FlowGroup group(String name) {
        FlowGroup group = groupsByName.get(name);
        if (group == null) {
            group = new FlowGroup(name);
            groupsByName.put(name, group);
            groups.add(group);
        }
        return group;
    }

    /** All groups, in the order in which they were first named. */
    public List<FlowGroup> groups() {
        return List.copyOf(groups);
    }

    /** The flows that were added one by one, in that order; those of sources are not among them. */
    public List<Flow> flows() {
        return List.copyOf(flows);
    }

    /** Sets what flows' completion times are measured against, before they begin. */
    public void measureAgainst(IdealTime idealTime) {
        ideal = idealTime;
    }

    /** Flows that are complete. */
    public FlowLog log() {
        return log;
    }

    long seed() {
        return seed;
    }

    long nowPs() {
        return clockPs.getAsLong();
    }

    long apartPs() {
        return apartPs.getAsLong();
    }

    int wireBytes(int frameBytes) {
        return wire.wireBytes(frameBytes);
    }

    boolean checksums() {
        return options.checksums();
    }

    /** The flow that a host began under a number; null if it is complete or never was. */
    @Nullable Flow flow(int host, int number, int byHost, long nowPs) {
        return host < byNumber.length ? byNumber[host].flows().find(number, byHost, nowPs) : null;
    }

    long[] dataWords(Flow flow) {
        FrameShape shape = flow.shape;
        FrameTemplate.Kind kind =
                new FrameTemplate.Kind(
                        TrafficHeader.DATA,
                        shape.priority(),
                        shape.dscp(),
                        shape.ecn(),
                        flow.fullFrameBytes);
        return words(flow, kind, flow.sourceHost, flow.destinationHost);
    }

    long[] ackWords(Flow flow) {
        FrameShape shape = flow.shape;
        FrameTemplate.Kind kind =
                new FrameTemplate.Kind(
                        TrafficHeader.ACK,
                        shape.acknowledgement().priority(),
                        shape.acknowledgement().dscp(),
                        FrameShape.NOT_ECT,
                        shape.minFrameBytes());
        return words(flow, kind, flow.destinationHost, flow.sourceHost);
    }

    private long[] words(Flow flow, FrameTemplate.Kind kind, int from, int to) {
        return template.words(
                flow.shape,
                kind,
                byNumber[from].address(),
                byNumber[to].address(),
                sourcePort(flow),
                flow.sourceHost,
                flow.number);
    }

    private static int sourcePort(Flow flow) {
        int given = flow.shape.sourcePort();
        if (given != 0) {
            return given;
        }
        // Neighbouring numbers get ports far apart: a multiplicative hash's high bits.
        long key = ((long) flow.sourceHost << 32) | flow.number;
        long hash = (key + 1) * 0x9E37_79B9_7F4A_7C15L;
        return TrafficDevice.FIRST_SOURCE_PORT
                + (int) ((hash >>> 32) & (TrafficDevice.SOURCE_PORTS - 1));
    }

    /** Writes a frame's checksum if there are any. */
    void seal(FrameShape shape, Frame frame) {
        if (options.checksums()) {
            FrameTemplate.checksum(shape, frame.dataOffset);
        }
    }

    /** The receiver has all of a flow. */
    void finished(Flow flow) {
        flow.finishedPs = flow.lastArrivalPs;
        flow.group.flowsFinished++;
        if (!flow.isWindowed()) {
            complete(flow);
        }
    }

    /** The sender knows that the receiver has all of a flow. */
    void acknowledged(Flow flow) {
        complete(flow);
    }

    /** A flow without end has been stopped; its receiver may have all of it already. */
    void ended(Flow flow) {
        if (flow.totalFrames == 0 || flow.framesReceived != flow.totalFrames) {
            return;
        }
        finished(flow);
        if (flow.isWindowed() && flow.acknowledgedFrames == flow.totalFrames) {
            flow.acknowledgedPs = flow.lastArrivalPs;
            acknowledged(flow);
        }
    }

    private void complete(Flow flow) {
        log.add(flow, ideal.idealPs(flow));
        if (flow.origin != null) {
            byNumber[flow.sourceHost].flows().completed(flow, nowPs());
        }
    }
}
