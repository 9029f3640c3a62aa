package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.SlotMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservedMemoryTest {
    private static final long GIB = 1L << 30;
    private static final long LITTLE = 64L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SlotMemory reserved = ReservedMemory.beyondWhatThereIs();

    @Test
    void itIsZeroAndTakesUpWhatIsUsed() throws IOException {
        long before = residentBytes();
        MemorySegment memory = reserved.allocate(GIB);
        assertThat(memory.address() % SlotMemory.PAGE_BYTES).isZero();
        assertThat(memory.byteSize()).isEqualTo(GIB);
        for (long at = 0; at < GIB; at += 64L << 20) {
            assertThat(memory.get(ValueLayout.JAVA_LONG, at)).isZero();
            memory.set(ValueLayout.JAVA_LONG, at, ~at);
        }
        assertThat(memory.get(ValueLayout.JAVA_LONG, 64L << 20)).isEqualTo(~(64L << 20));
        assertThat(residentBytes() - before).isLessThan(LITTLE);
    }

    @Test
    void itIsReleasedWhenItIsGarbage() throws IOException {
        long address = mappedAddress();
        Instant deadline = Instant.now().plus(PATIENCE);
        boolean mapped;
        do {
            System.gc();
            mapped = isMapped(address);
        } while (mapped && Instant.now().isBefore(deadline));
        assertThat(mapped).isFalse();
    }

    private long mappedAddress() throws IOException {
        MemorySegment memory = reserved.allocate(GIB);
        try {
            assertThat(isMapped(memory.address())).isTrue();
            return memory.address();
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    @Test
    void moreThanThereIsIsRefused() {
        assertThatThrownBy(() -> reserved.allocate(1L << 60))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage(
                        "cannot reserve 1152921504606846976 bytes for slots: ENOMEM, not enough"
                                + " memory");
    }

    private static boolean isMapped(long address) throws IOException {
        for (String line : lines("maps")) {
            String[] range = line.substring(0, line.indexOf(' ')).split("-", -1);
            if (Long.parseUnsignedLong(range[0], 16) <= address
                    && address < Long.parseUnsignedLong(range[1], 16)) {
                return true;
            }
        }
        return false;
    }

    private static long residentBytes() throws IOException {
        for (String line : lines("status")) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException("the kernel does not say VmRSS");
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(Path.of("/proc/self", file));
    }
}
