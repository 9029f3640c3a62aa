package io.headgate.perf.engine;

import io.headgate.control.policy.PolicyFile;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
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
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What a frame costs that joins a port's queues and leaves them, in bursts of 32 while 128 wait:
 * the built-in queues, and OpenQueue's policies, eight of which have been in use in the same JVM.
 */
public class PolicyBenchmark extends FrameBenchmark {
    private static final String BUILT_IN = "built-in";
    private static final List<String> LIVE =
            List.of(
                    "tail-drop",
                    "push-out",
                    "algorithm-c",
                    "lqd",
                    "srpt",
                    "strict",
                    "crr",
                    "value-then-size");
    private static final String IN_PACKETS = "algorithm";
    private static final int FRAMES = 1_024;
    private static final int BURST = 32;
    private static final int WAITING = 128;
    private static final int LENGTH_BYTES = 200;
    private static final int WARM_BURSTS = 20_000;
    private static final long BURST_NS = 1_000_000;
    private static final long RATE_BPS = 400_000_000_000L;

    /** What queues the frames. */
    @Param({BUILT_IN, "tail-drop", "push-out", "algorithm-c", "lqd"})
    public String queues = BUILT_IN;

    private final Frame[] started = new Frame[BURST];
    private final Pacer pacer = new Pacer(RATE_BPS, BURST_NS, WireFormat.ETHERNET);
    private Port port = new Port(new PriorityQueues(1_000_000));
    private long nowNs;

    /** Queues, and frames of their own in turn. */
    private static final class Port {
        private final Queues queues;
        private final Frame[] frames = new Frame[FRAMES];
        private int next;
        private long arrived;

        Port(Queues queues) {
            this.queues = queues;
            FrameRegion region = new FrameRegion(FRAMES, 512);
            for (int i = 0; i < FRAMES; i++) {
                frames[i] = region.frame(i);
                frames[i].lengthBytes = LENGTH_BYTES;
                frames[i].priority = i % 8;
            }
        }
    }

    private static Port policy(String name) {
        try {
            PolicyFile file = PolicyFile.read(Path.of(name + ".oq"));
            int count = file.policy().queues().size();
            Binding binding =
                    Binding.standard(count, false).countingPackets(name.startsWith(IN_PACKETS));
            PolicyPlan plan = PolicyPlan.of(file.policy(), binding);
            return new Port(CompiledPolicy.of(plan).queues(NamedRandom.of(1, "p1", "policy")));
        } catch (IOException | PolicyException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes all policies known to the JIT, and fills the queues that are measured. */
    @Setup
    public void fill() {
        List<Port> live = new ArrayList<>();
        LIVE.forEach(name -> live.add(policy(name)));
        live.add(new Port(new PriorityQueues(1_000_000)));
        for (Port each : live) {
            fill(each);
        }
        for (int i = 0; i < WARM_BURSTS; i++) {
            for (Port each : live) {
                pass(each);
            }
        }
        port = queues.equals(BUILT_IN) ? live.getLast() : live.get(LIVE.indexOf(queues));
    }

    private void fill(Port into) {
        for (int i = 0; i < WAITING; i += BURST) {
            join(into);
        }
    }

    private void join(Port into) {
        int to = into.next + BURST;
        for (int i = into.next; i < to; i++) {
            into.frames[i].arrival = ++into.arrived;
        }
        into.queues.arriving(nowNs);
        int at = into.next;
        while (at < to) {
            int joined = into.queues.enqueue(into.frames, at, to);
            if (joined == at) {
                if (into.queues.enqueue(into.frames[at]) != null) {
                    throw new IllegalStateException("a frame was lost");
                }
                joined++;
            }
            at = joined;
        }
        into.next = to % FRAMES;
    }

    private int pass(Port through) {
        nowNs += BURST_NS;
        join(through);
        pacer.resume(nowNs, nowNs - BURST_NS);
        int count = 0;
        while (count < BURST) {
            int more = through.queues.dequeue(nowNs, pacer, started);
            if (more == 0) {
                throw new IllegalStateException("nothing starts");
            }
            count += more;
        }
        return count;
    }

    /** A burst joins, and as many frames leave. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public int pass() {
        return pass(port);
    }
}
