package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

final class CompilationTest {
    @Test
    void codeIsWarmSoonerWhereTheOptimisingCompilerIsOff() {
        String highest =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .getVMOption("TieredStopAtLevel")
                        .getValue();
        assertThat(Compilation.rounds(80_000)).isEqualTo(highest.equals("1") ? 10_000 : 80_000);
    }

    @Test
    void itIsWaitedForUntilItsTimeStandsStillButNotForEver() {
        assertThat(waitedNs(() -> 7)).isGreaterThanOrEqualTo(Compilation.STILL_NS);
        AtomicLong compiled = new AtomicLong();
        assertThat(waitedNs(compiled::incrementAndGet)).isGreaterThanOrEqualTo(Compilation.MOST_NS);
    }

    private static long waitedNs(LongSupplier compiledMs) {
        long startNs = System.nanoTime();
        Compilation.await(compiledMs);
        return System.nanoTime() - startNs;
    }
}
