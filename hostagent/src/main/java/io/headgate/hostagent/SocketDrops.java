package io.headgate.hostagent;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the datagrams that the sockets of a network namespace had no room for, from the kernel's
 * counter (RcvbufErrors of proc_net(5)): the network delivered them, and the receiver lost them.
 * The files are opened in the namespace, and count for that namespace regardless of the reading
 * thread's own; the namespace exists while they are open.
 */
final class SocketDrops implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String IPV4 = "RcvbufErrors";
    private static final String IPV6 = "Udp6RcvbufErrors";

    private final FileChannel ipv4;
    private final @Nullable FileChannel ipv6;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final long before;

    private SocketDrops(FileChannel ipv4, @Nullable FileChannel ipv6) throws IOException {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        this.before = all();
    }

    /**
     * Starts counting.
     *
     * @param netns null: our own
     * @throws DeviceException if the kernel does not provide the counter
     */
    static SocketDrops open(@Nullable String netns) throws DeviceException {
        return NetworkNamespace.call(
                netns,
                () -> {
                    try {
                        // thread-self: the plain /proc/net is that of the process.
                        Path net = Path.of("/proc/thread-self/net");
                        Path six = net.resolve("snmp6");
                        return new SocketDrops(
                                FileChannel.open(net.resolve("snmp"), StandardOpenOption.READ),
                                Files.exists(six)
                                        ? FileChannel.open(six, StandardOpenOption.READ)
                                        : null);
                    } catch (IOException e) {
                        throw new DeviceException(
                                "cannot read what sockets lose: " + Reason.of(e), e);
                    }
                });
    }

    /** The number since the start; {@code known} if the kernel's counter cannot be read. */
    long sinceThen(long known) {
        try {
            return all() - before;
        } catch (IOException e) {
            return known;
        }
    }

    private long all() throws IOException {
        long six = ipv6 == null ? 0 : valueOf(text(ipv6), IPV6);
        return column(text(ipv4)) + six;
    }

    private String text(FileChannel file) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining() && file.read(buffer, buffer.position()) > 0) {}
        return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
    }

    /** The value of the column, from two lines that begin with Udp: the first has the names. */
    static long column(String snmp) {
        List<String> lines = snmp.lines().filter(line -> line.startsWith("Udp:")).toList();
        if (lines.size() != 2) {
            return 0;
        }
        int column = Arrays.asList(lines.getFirst().split(" ")).indexOf(IPV4);
        String[] values = lines.getLast().split(" ");
        return column < 0 || column >= values.length ? 0 : Long.parseLong(values[column]);
    }

    private static long valueOf(String snmp6, String name) {
        return snmp6.lines()
                .map(line -> line.split("\\s+"))
                .filter(words -> words.length == 2 && words[0].equals(name))
                .mapToLong(words -> Long.parseLong(words[1]))
                .sum();
    }

    @Override
    public void close() {
        try (FileChannel _ = ipv4;
                FileChannel _ = ipv6) {
            return;
        } catch (IOException e) {
            // Only read: nothing is lost.
            return;
        }
    }
}
