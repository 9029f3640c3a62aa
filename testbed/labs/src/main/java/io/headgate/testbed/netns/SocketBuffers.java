package io.headgate.testbed.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Computes how large a buffer a socket may request (socket(7)). The kernel silently grants less
 * than requested; iperf3 treats that as an error and ends, so it may only request what it gets.
 */
public final class SocketBuffers {
    private static final Path LIMITS = Path.of("/proc/sys/net/core");

    /**
     * As kernels have long had it; what is taken where the limit cannot be seen, as in a user
     * namespace.
     */
    private static final int USUAL_LIMIT_BYTES = 212_992;

    private SocketBuffers() {}

    /** What a socket is granted for both its directions of what is wanted, in bytes. */
    public static int granted(int wantedBytes) {
        return granted(wantedBytes, LIMITS);
    }

    static int granted(int wantedBytes, Path limits) {
        int receiveBytes = limitBytes(limits.resolve("rmem_max"));
        int sendBytes = limitBytes(limits.resolve("wmem_max"));
        return Math.min(wantedBytes, Math.min(receiveBytes, sendBytes));
    }

    private static int limitBytes(Path limit) {
        // In one piece: a second read of such a file says that it has ended, and readString's first
        // one is of a single byte.
        try (BufferedReader reader = Files.newBufferedReader(limit)) {
            String line = reader.readLine();
            return line == null ? USUAL_LIMIT_BYTES : Integer.parseInt(line.strip());
        } catch (IOException | NumberFormatException notToBeSeen) {
            return USUAL_LIMIT_BYTES;
        }
    }
}
