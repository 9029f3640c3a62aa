package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;

/**
 * Reads and changes settings of interfaces by ioctl (netdevice(7), and ethtool's), on a socket of
 * the calling thread's namespace. For opening devices and for tools.
 */
public final class Ethtool implements AutoCloseable {
    private static final int ETHTOOL_GDRVINFO = 3;
    private static final int DRVINFO_BYTES = 196;
    private static final int DRIVER_OFFSET = 4;
    private static final int DRIVER_BYTES = 32;

    private final Errno errno = new Errno();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment ifreq = arena.allocate(Structs.IFREQ_BYTES, 8);
    private final MemorySegment data = arena.allocate(DRVINFO_BYTES, 8);
    private final int fd;

    Ethtool() {
        fd = Sockets.socket(errno, Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
        if (fd < 0) {
            // A kernel may lack IPv4, never Unix sockets; any socket takes these ioctls.
            throw new IllegalStateException("no socket: " + Errno.describe(fd));
        }
    }

    private int ethtool(String name, int command) {
        Structs.setInterfaceName(ifreq, name);
        data.set(ValueLayout.JAVA_INT, 0, command);
        ifreq.set(ValueLayout.ADDRESS, Structs.IFREQ_UNION_OFFSET, data);
        return Files.ioctl(errno, fd, Structs.SIOCETHTOOL, ifreq);
    }

    String driver(String name) {
        data.fill((byte) 0);
        return ethtool(name, ETHTOOL_GDRVINFO) < 0
                ? ""
                : Netlink.text(data.asSlice(DRIVER_OFFSET, DRIVER_BYTES));
    }

    Set<Offload> offloads(String name) {
        Set<Offload> on = EnumSet.noneOf(Offload.class);
        for (Offload offload : Offload.values()) {
            if (offload.getCommand == 0) {
                if (features(name).isActive(offload.label())) {
                    on.add(offload);
                }
                continue;
            }
            data.set(ValueLayout.JAVA_INT, 4, 0);
            if (ethtool(name, offload.getCommand) == 0) {
                int word = data.get(ValueLayout.JAVA_INT, 4);
                if ((offload.flag == 0 ? word : word & offload.flag) != 0) {
                    on.add(offload);
                }
            }
        }
        return on;
    }

    int set(String name, Offload offload, boolean on) {
        if (offload.setCommand == 0) {
            return (int) Math.min(0, features(name).set(offload.label(), on));
        }
        int word = on ? 1 : 0;
        if (offload.flag != 0) {
            int result = ethtool(name, offload.getCommand);
            if (result < 0) {
                return result;
            }
            int flags = data.get(ValueLayout.JAVA_INT, 4);
            word = on ? flags | offload.flag : flags & ~offload.flag;
        }
        data.set(ValueLayout.JAVA_INT, 4, word);
        return ethtool(name, offload.setCommand);
    }

    private FeatureBits features(String name) {
        return new FeatureBits(request -> {
            Structs.setInterfaceName(ifreq, name);
            ifreq.set(ValueLayout.ADDRESS, Structs.IFREQ_UNION_OFFSET, request);
            return Files.ioctl(errno, fd, Structs.SIOCETHTOOL, ifreq);
        });
    }

    int setMtu(String name, int bytes) {
        Structs.setInterfaceName(ifreq, name);
        ifreq.set(ValueLayout.JAVA_INT, Structs.IFREQ_UNION_OFFSET, bytes);
        return Files.ioctl(errno, fd, Structs.SIOCSIFMTU, ifreq);
    }

    int setFlag(String name, int flag, boolean on) {
        Structs.setInterfaceName(ifreq, name);
        int result = Files.ioctl(errno, fd, Structs.SIOCGIFFLAGS, ifreq);
        if (result < 0) {
            return result;
        }
        int flags = ifreq.get(ValueLayout.JAVA_SHORT, Structs.IFREQ_UNION_OFFSET);
        flags = on ? flags | flag : flags & ~flag;
        ifreq.set(ValueLayout.JAVA_SHORT, Structs.IFREQ_UNION_OFFSET, (short) flags);
        return Files.ioctl(errno, fd, Structs.SIOCSIFFLAGS, ifreq);
    }

    @Override
    public void close() {
        Files.close(errno, fd);
        arena.close();
    }
}
