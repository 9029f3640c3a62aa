package io.headgate.perf.rate;

import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.icc.IccEquations;
import io.headgate.hostagent.icc.IccReactionConfig;
import io.headgate.hostagent.icc.IccReactionMechanism;
import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;
import io.headgate.hostagent.rate.hpcc.Hpcc;
import io.headgate.hostagent.rate.hpcc.HpccConfig;
import io.headgate.perf.engine.FrameBenchmark;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures the cost of an acknowledgement with telemetry at a sender: its records are read, and the
 * control computes rate and window. HPCC has a record of each port on the path, ICC has one.
 */
public class TelemetryControlBenchmark extends FrameBenchmark {
    private static final long LINE_BPS = 100_000_000_000L;
    private static final int FRAME = 1_106;
    private static final long T_NS = 13_000;
    private static final long STEP_NS = 100;

    /** Ports on the way. */
    @Param({"1", "5"})
    public int hops;

    /** Acknowledgements that come in turn; after the last one the first comes again. */
    private static final int MADE = 1 << 10;

    private final MemorySegment bytes =
            Arena.ofAuto().allocate((long) MADE * HopEcho.MOST_BYTES, 8);
    private final HopRecords[] told = new HopRecords[MADE];
    private final Sample echoed = new Sample(HopEcho.WHOLE);
    private final Sample stamped = new Sample();
    private RateControl hpcc = hpcc();
    private RateControl icc = icc();
    private long nowNs;
    private long sent;
    private int number;

    private static RateControl hpcc() {
        return new Hpcc().control(HpccConfig.of(HpccConfig.Parameters.PUBLISHED, T_NS));
    }

    private static RateControl icc() {
        return new IccReactionMechanism()
                .control(
                        new IccReactionConfig(
                                IccEquations.CONSISTENT,
                                25_000,
                                T_NS,
                                0,
                                0,
                                IccReactionConfig.Increase.REPORT,
                                0,
                                1_000_000));
    }

    /** Both begin; ports are known. */
    @Setup
    public void begin() {
        hpcc = hpcc();
        icc = icc();
        hpcc.begin(0, LINE_BPS, FRAME);
        icc.begin(0, LINE_BPS, FRAME);
        for (int i = 0; i < MADE; i++) {
            told[i] = told(i);
            HopEcho.WHOLE.write(told[i], bytes, (long) i * HopEcho.MOST_BYTES);
        }
    }

    private HopRecords told(int number) {
        HopRecords records = new HopRecords(hops);
        for (int hop = 0; hop < hops; hop++) {
            HopRecord record = Objects.requireNonNull(records.add());
            record.node = hop + 1;
            record.egressPort = 1;
            record.rateBps = LINE_BPS;
            record.flows = 2;
            record.timeNs = number * STEP_NS;
            record.sentBytes = (long) number * FRAME;
            record.queueBytes = record.sentBytes & 0x7FFF;
            record.growthBps = 1L - (number & 2);
            record.usePermille = 900;
        }
        return records;
    }

    private int next() {
        nowNs += STEP_NS;
        sent += FRAME;
        number = number + 1 & MADE - 1;
        return number;
    }

    /** Its records are read, and the control is asked. */
    @Benchmark
    public long hpccAcknowledged() {
        int at = next();
        echoed.readEcho(bytes, (long) at * HopEcho.MOST_BYTES, HopEcho.WHOLE.bytes(told[at]));
        hpcc.acknowledged(nowNs, echoed.set(sent, sent + 100_000, 0, Sample.NOT_TIMED));
        return hpcc.windowBytes();
    }

    /** Records are new each time. */
    @Benchmark
    public long iccAcknowledged() {
        HopRecords way = told[next()];
        icc.acknowledged(nowNs, stamped.set(sent, sent, 0, Sample.NOT_TIMED).way(way));
        return icc.rateBps();
    }
}
