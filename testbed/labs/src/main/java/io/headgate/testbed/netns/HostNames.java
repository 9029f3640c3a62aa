package io.headgate.testbed.netns;

import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Provides the names of a network's hosts in their {@code /etc/hosts}: for programs started with
 * {@link #seenBy}, a file is mounted over it in a mount namespace of its own; if we may write
 * there, also {@code /etc/netns/NAME/hosts}, which {@code ip netns exec} mounts over it
 * (ip-netns(8)).
 */
public final class HostNames implements AutoCloseable {
    private static final Path NETNS = Path.of("/etc/netns");
    private static final String HOSTS = "hosts";
    private static final String OURS = "# made by headgate lab, removed with it\n";
    private static final String OVER = "mount --bind \"$1\" /etc/hosts && shift && exec \"$@\"";

    private final Path file;
    private final List<String> netns;

    private HostNames(Path file, List<String> netns) {
        this.file = file;
        this.netns = netns;
    }

    /**
     * Writes the names of all hosts.
     *
     * @param namespaces the hosts', by number; they exist
     * @param scratch where files may lie that are gone with the network
     * @throws BedException if nothing can be written there
     */
    static HostNames of(NetworkPlan plan, List<String> namespaces, Path scratch)
            throws BedException {
        StringBuilder text = new StringBuilder(OURS).append("127.0.0.1 localhost\n");
        for (HostPlan host : plan.hosts()) {
            text.append(host.address().getHostAddress()).append(' ').append(host.name());
            text.append('\n');
            if (host.ipv6() != null) {
                text.append(host.address6().getHostAddress()).append(' ').append(host.name());
                text.append('\n');
            }
        }
        Path file = scratch.resolve(HOSTS);
        BedException.unless("cannot write " + file, () -> Files.writeString(file, text));
        List<String> netns = new ArrayList<>();
        for (String host : namespaces) {
            if (put(host, text.toString())) {
                netns.add(host);
            }
        }
        return new HostNames(file, netns);
    }

    /** An ordinary user has no right to; another user's file stays. */
    private static boolean put(String netns, String text) {
        Path hosts = NETNS.resolve(netns).resolve(HOSTS);
        try {
            if (Files.exists(hosts) && !isOurs(hosts)) {
                return false;
            }
            Files.createDirectories(NETNS.resolve(netns));
            Files.writeString(hosts, text);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOurs(Path hosts) throws IOException {
        return Files.readString(hosts).startsWith(OURS);
    }

    /** A command that runs another, which then sees the names. */
    public List<String> seenBy(List<String> command) {
        List<String> seeing =
                new ArrayList<>(
                        List.of("unshare", "--mount", "sh", "-c", OVER, "sh", file.toString()));
        seeing.addAll(command);
        return seeing;
    }

    /** Takes away what was put where {@code ip netns exec} looks for it. Idempotent. */
    @Override
    public void close() {
        netns.forEach(HostNames::remove);
    }

    /** The same for a namespace of a lab that was killed. */
    static void remove(String netns) {
        Path hosts = NETNS.resolve(netns).resolve(HOSTS);
        try {
            if (Files.exists(hosts) && isOurs(hosts)) {
                Files.delete(hosts);
                Files.delete(NETNS.resolve(netns));
            }
        } catch (DirectoryNotEmptyException e) {
            // Somebody else's files are there, too.
            return;
        } catch (IOException e) {
            // It names hosts of a namespace that is gone: no harm is done.
            return;
        }
    }
}
