package io.headgate.perf.policy;

import io.headgate.control.policy.PolicyFile;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.CompiledPolicy;
import io.headgate.dataplane.openqueue.PolicyPlan;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.nio.file.Path;

/** A port's queues, and frames that join them, leave, and join again; those that are lost too. */
final class PolicyPort {
    static final String BUILT_IN = "built-in";
    static final String BY_HAND = " by hand";

    static final int BURST = 32;
    static final int LENGTH_BYTES = 200;

    private static final String IN_PACKETS = "algorithm";
    private static final long LIMIT_BYTES = 100_000;

    /** Places of the ring; more than the frames that are ever in a queue. */
    private static final int PLACES = 1_024;

    private static final int SLOT_BYTES = 512;
    private static final int HOST = 0x0A00_0001;
    private static final int FIRST_PORT = 1_024;
    private static final int SERVICE_SHIFT = 5;
    private static final long BURST_NS = 1_000_000;
    private static final long RATE_BPS = 400_000_000_000L;

    private final Queues queues;
    private final boolean isOnePriority;

    // As in the engine, only who asks pays for it.
    private final boolean readsArrivals;

    /** Those that are in no queue, from {@code next} to below {@code end}, in a ring. */
    private final Frame[] frames = new Frame[PLACES];

    private final Frame[] started = new Frame[BURST];
    private final Pacer pacer = new Pacer(RATE_BPS, BURST_NS, WireFormat.ETHERNET);
    private int next;
    private int end;
    private long arrived;
    private long nowNs;

    private PolicyPort(Queues queues, int count, boolean isOnePriority) {
        this.queues = queues;
        this.isOnePriority = isOnePriority;
        this.readsArrivals = queues.readsArrivals();
        // As the engine lays them out where no AF_XDP asks for more.
        FrameRegion region = new FrameRegion(count, SLOT_BYTES, false, SlotMemory.RESIDENT);
        for (; end < count; end++) {
            frames[end] = region.frame(end);
            write(frames[end], end);
        }
    }

    private static void write(Frame frame, int flow) {
        long at = frame.dataOffset;
        frame.lengthBytes = LENGTH_BYTES;
        frame.storedBytes = LENGTH_BYTES;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;
        Ethernet.etherType(FrameRegion.MEMORY, at, EtherType.IPV4);
        int bytes = LENGTH_BYTES - Ethernet.HEADER_BYTES;
        long ip = at + frame.ipOffset;
        Ipv4.write(FrameRegion.MEMORY, ip, 0, bytes, 64, IpProtocol.UDP, HOST, HOST + 1);
        long udp = at + frame.transportOffset;
        Udp.write(FrameRegion.MEMORY, udp, FIRST_PORT + flow, 5201, bytes - 20);
    }

    /**
     * A port with queues of a name: the built-in ones, a shipped policy, or one by hand.
     *
     * @param frames how many there are, waiting or not: no more than are needed, as in a switch
     *     that takes those first that were used last
     * @param isOnePriority whether all frames are of one, or of all eight in turn
     */
    static PolicyPort of(String name, int frames, boolean isOnePriority) {
        // The built-in queues have a limit each, a policy one for all.
        long limitBytes = LIMIT_BYTES / (isOnePriority ? 1 : 8);
        return new PolicyPort(queues(name, limitBytes), frames, isOnePriority);
    }

    static Queues queues(String name, long limitBytes) {
        return switch (name) {
            case BUILT_IN -> new PriorityQueues(limitBytes);
            case "push-out" + BY_HAND -> new HandWrittenPushOut();
            case "lqd" + BY_HAND -> new HandWrittenLongestQueueDrop();
            case "algorithm-c" + BY_HAND -> new HandWrittenAlgorithmC();
            default -> compiled(name);
        };
    }

    static Queues compiled(String name) {
        try {
            PolicyFile file = PolicyFile.read(Path.of(name + ".oq"));
            boolean selects = file.policy().ports().getFirst().selection() != null;
            Binding binding =
                    Binding.standard(file.policy().queues().size(), selects)
                            .countingPackets(name.startsWith(IN_PACKETS));
            PolicyPlan plan = PolicyPlan.of(file.policy(), binding);
            return new CompiledPolicy(plan).queues(NamedRandom.of(1, "p1", "policy"));
        } catch (IOException | PolicyException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Frames come, as to a port; those that are lost may come again. */
    void join(int count) {
        int at = next & (PLACES - 1);
        int to = at + count;
        for (int i = at; i < to; i++) {
            Frame frame = frames[i];
            int which = (int) ++arrived & 7;
            if (readsArrivals) {
                frame.arrival = arrived;
            }
            frame.priority = isOnePriority ? 0 : which;
            Wire.put8(
                    FrameRegion.MEMORY,
                    frame.dataOffset + Ethernet.HEADER_BYTES + 1,
                    which << SERVICE_SHIFT);
        }
        next += count;
        if (readsArrivals) {
            queues.arriving(nowNs);
        }
        while (at < to) {
            int joined = queues.enqueue(frames, at, to);
            if (joined == at) {
                Frame lost = queues.enqueue(frames[at]);
                for (; lost != null; lost = queues.alsoLost()) {
                    frames[end++ & (PLACES - 1)] = lost;
                }
                joined++;
            }
            at = joined;
        }
    }

    /**
     * A burst starts after frames have come.
     *
     * @param coming how many come: a burst, or more, so that others are lost
     */
    int pass(int coming) {
        nowNs += BURST_NS;
        join(coming);
        pacer.resume(nowNs, nowNs - BURST_NS);
        int count = 0;
        while (count < BURST) {
            int more = queues.dequeue(nowNs, pacer, started);
            if (more == 0) {
                throw new IllegalStateException("nothing starts");
            }
            for (int i = 0; i < more; i++) {
                frames[end++ & (PLACES - 1)] = started[i];
            }
            count += more;
        }
        return count;
    }
}
