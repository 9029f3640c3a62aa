package io.headgate.perf.policy;

import static io.headgate.perf.policy.PolicyPort.BUILT_IN;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a frame that joins a port's queues and leaves them, in bursts of 32, while
 * eight ports with policies of their own are in use in the same JVM. Contenders are measured in
 * turn in one fork, one iteration each: the differences between two cores, or between the JIT's
 * results in two forks, are larger than the compared ones.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 12, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 24, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 5,
        jvmArgsAppend = {
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xms512m",
            "-Xmx512m"
        })
public class PolicyBenchmark {
    static final String AGAINST = " against ";

    /**
     * Behind a name: frames are not of all priorities in turn, which makes a FIFO of any queues.
     */
    static final String ONE_PRIORITY = " of one priority";

    static final int BURST = PolicyPort.BURST;

    private static final List<String> LIVE =
            List.of(
                    "tail-drop",
                    "push-out",
                    "algorithm-c",
                    "lqd",
                    "srpt",
                    "strict",
                    "crr",
                    "value-then-size",
                    BUILT_IN);
    private static final int WAITING = 128;
    private static final int FRAMES = WAITING + 2 * BURST;
    private static final int FULL_FRAMES = 1_024;

    /** What is measured in turn. */
    @Param({
        "tail-drop against built-in",
        "tail-drop of one priority against built-in of one priority",
        "push-out against push-out by hand",
        "lqd against lqd by hand",
        "algorithm-c against algorithm-c by hand"
    })
    public String contenders = BUILT_IN;

    /** 32: as many frames come as leave, 128 wait. 64: half of them are lost. */
    @Param({"32", "64"})
    public int coming = BURST;

    /** How many bursts pass each port before anything is measured. */
    @Param("20000")
    public int warmBursts = BURST;

    private List<PolicyPort> measured = List.of();
    private PolicyPort port = PolicyPort.of(BUILT_IN, FRAMES, false);
    private int turn;

    /** Makes all policies known to the JIT, and fills the queues that are measured. */
    @Setup
    public void fill() {
        List<String> names = Arrays.asList(contenders.split(AGAINST));
        Set<String> others = new LinkedHashSet<>(LIVE);
        names.forEach(others::remove);
        int frames = coming > BURST ? FULL_FRAMES : FRAMES;
        measured = names.stream().map(name -> port(name, frames)).toList();
        List<PolicyPort> live = others.stream().map(name -> port(name, FRAMES)).toList();
        for (int i = 0; i < warmBursts; i++) {
            measured.forEach(each -> each.pass(coming));
            live.forEach(each -> each.pass(BURST));
        }
    }

    private static PolicyPort port(String name, int frames) {
        boolean isOnePriority = name.endsWith(ONE_PRIORITY);
        PolicyPort made = PolicyPort.of(name.replace(ONE_PRIORITY, ""), frames, isOnePriority);
        for (int i = 0; i < WAITING; i += BURST) {
            made.join(BURST);
        }
        return made;
    }

    /** The next contender's turn. */
    @Setup(Level.Iteration)
    public void next() {
        port = measured.get(turn++ % measured.size());
    }

    /** Frames join, and a burst leaves. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public int pass() {
        return port.pass(coming);
    }
}
