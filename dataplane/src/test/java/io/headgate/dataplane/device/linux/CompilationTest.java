package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
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
}
