package io.headgate.perf.policy;

import io.headgate.dataplane.queue.Queues;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time from a policy's text to the queues of a port: read, checked, compiled, loaded.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xms512m",
            "-Xmx512m"
        })
public class PolicyLoadBenchmark {
    /** The largest that is shipped. */
    @Param("algorithm-c-8")
    public String policy = "";

    /** Loads it once more. */
    @Benchmark
    public Queues load() {
        return PolicyPort.compiled(policy);
    }
}
