package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Kernel structures that several devices share, from the uapi headers of 64-bit Linux. */
public final class Structs {
    /** Size of {@code struct ifreq}: a name of 16 bytes, then a union of 24. */
    public static final int IFREQ_BYTES = 40;

    static final int IFNAMSIZ = 16;
    public static final int IFREQ_UNION_OFFSET = 16;

    public static final long SIOCGIFNAME = 0x8910;
    public static final long SIOCGIFFLAGS = 0x8913;
    public static final long SIOCSIFFLAGS = 0x8914;
    public static final long SIOCGIFMTU = 0x8921;
    public static final long SIOCSIFMTU = 0x8922;
    public static final long SIOCETHTOOL = 0x8946;

    /**
     * Size of {@code struct sockaddr_ll}: family, protocol (network order), ifindex, and an
     * address.
     */
    public static final int SOCKADDR_LL_BYTES = 20;

    private Structs() {}

    /**
     * Checks the length and form of an interface name, because the kernel would cut it.
     *
     * @throws DeviceException if no interface could have it
     */
    public static void requireInterfaceName(String name) throws DeviceException {
        boolean fits = !name.isEmpty() && name.length() < IFNAMSIZ;
        for (int index = 0; fits && index < name.length(); index++) {
            char character = name.charAt(index);
            fits = character > ' ' && character < 0x7F && character != '/' && character != ':';
        }
        if (!fits || name.equals(".") || name.equals("..")) {
            throw new DeviceException(
                    ("'%s' cannot be the name of an interface; allowed: 1 to 15 ASCII characters"
                                    + " without spaces, '/' and ':'")
                            .formatted(name));
        }
    }

    public static void setInterfaceName(MemorySegment ifreq, String name) {
        byte[] bytes = name.getBytes(US_ASCII);
        ifreq.asSlice(0, IFNAMSIZ).fill((byte) 0);
        MemorySegment.copy(bytes, 0, ifreq, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** An interface's name for the user, with its namespace if it has one. */
    public static String where(String name, String netns) {
        return "'" + name + "'" + (netns.isEmpty() ? "" : " in network namespace '" + netns + "'");
    }

    /** A command as the user types it from outside the namespace. */
    public static String command(String netns, String command) {
        return "'" + NetworkNamespace.commandPrefix(netns) + command + "'";
    }
}
