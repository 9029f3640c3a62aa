package io.headgate.testbed.netns;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a test bed is to look like: hosts {@code h1} to {@code hN}, each a namespace with one
 * interface {@code eth0}, and the far ends of their links in the switch's namespace {@code s1}.
 *
 * @param prefix put before the names of all namespaces, so that beds can stand side by side
 * @param hosts 1 to 64
 * @param mtuBytes of every interface, 576 to 9000
 * @param ipv6 whether hosts have IPv6 addresses; without, the kernel's own IPv6 noise is off
 * @param wiring how the hosts' interfaces come to be
 */
public record BedPlan(String prefix, int hosts, int mtuBytes, boolean ipv6, Wiring wiring) {

    /** The interface of every host. */
    public static final String HOST_INTERFACE = "eth0";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,22}");

    /** Who makes the hosts' interfaces. */
    public enum Wiring {
        /** We do: veth pairs, their other ends {@code p1} to {@code pN} in the switch's. */
        VETH,
        /** The switch does, when it opens its devices; {@link NetnsBed#configureHosts} follows. */
        TAP,
        /**
         * A host agent does; we make veth pairs from it, {@code w1} to {@code wN}, to the switch,
         * both ends in the switch's. {@link NetnsBed#configureHosts} follows.
         */
        AGENT
    }

    /**
     * @throws IllegalArgumentException with one sentence, if a value is out of its range
     */
    public BedPlan {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "--prefix '"
                            + prefix
                            + "' cannot begin a namespace's name: up to 22 letters, digits, '-'"
                            + " and '_' are allowed");
        }
        if (hosts < 1 || hosts > 64) {
            throw new IllegalArgumentException("a bed of " + hosts + " hosts: 1 to 64 are allowed");
        }
        if (mtuBytes < 576 || mtuBytes > 9000) {
            throw new IllegalArgumentException(
                    "--mtu " + mtuBytes + " is out of range: 576 to 9000 bytes are allowed");
        }
    }

    /** Namespace of a host, numbered from 1. */
    public String hostNetns(int host) {
        return prefix + "h" + host;
    }

    /** Namespace of the switch's ends of the links. */
    public String switchNetns() {
        return prefix + "s1";
    }

    /** The switch's end of a host's link, where there is one. */
    public String switchInterface(int host) {
        return "p" + host;
    }

    /** A host agent's end of a host's link, where there is one. */
    public String agentInterface(int host) {
        return "w" + host;
    }

    /** Every namespace of the bed. */
    public List<String> namespaces() {
        List<String> names = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            names.add(hostNetns(host));
        }
        if (wiring != Wiring.TAP) {
            names.add(switchNetns());
        }
        return names;
    }

    /** IPv4 address of a host, in 10.99.0.0/24. */
    public String address(int host) {
        return "10.99.0." + host;
    }

    /** IPv6 address of a host, in fd99::/64 (RFC 4193). */
    public String address6(int host) {
        return "fd99::" + Integer.toHexString(host);
    }

    /** MAC address of a host: locally administered, the same in every run. */
    public String mac(int host) {
        return String.format(Locale.ROOT, "02:68:67:00:00:%02x", host);
    }
}
