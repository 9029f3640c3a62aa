package io.headgate.control.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The capabilities that devices need (capabilities(7)), as far as this process has them. */
public final class Capabilities {
    private static final int NET_ADMIN = 12;
    private static final int NET_RAW = 13;
    private static final int SYS_ADMIN = 21;
    private static final String EFFECTIVE = "CapEff:";

    private final long effective;

    private Capabilities(long effective) {
        this.effective = effective;
    }

    public static Capabilities ours() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(EFFECTIVE)) {
                    String mask = line.substring(EFFECTIVE.length()).strip();
                    return new Capabilities(Long.parseUnsignedLong(mask, 16));
                }
            }
        } catch (IOException notLinux) {
            return new Capabilities(0);
        }
        return new Capabilities(0);
    }

    /** Whether it may open packet sockets. */
    public boolean netRaw() {
        return has(NET_RAW);
    }

    /** Whether it may make and change interfaces. */
    public boolean netAdmin() {
        return has(NET_ADMIN);
    }

    /** Whether it may enter network namespaces. */
    public boolean sysAdmin() {
        return has(SYS_ADMIN);
    }

    private boolean has(int bit) {
        return (effective >>> bit & 1) != 0;
    }
}
