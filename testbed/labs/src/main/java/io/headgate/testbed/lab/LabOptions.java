package io.headgate.testbed.lab;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import io.headgate.config.Withers;
import io.headgate.config.key.Quantity;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The options of a lab.
 *
 * @param workers a layout as configuration names it, or a number of workers
 * @param idle {@code backoff} or {@code busy-spin}
 * @param rate line rate of every port, as configuration writes it; of a lab that is a file the
 *     highest, and this, seconds and MTU are those of its first run
 * @param seconds for which traffic flows; of a lab that is a file, all phases of a run together
 * @param ipv6 whether hosts have IPv6 addresses, too, and ping each other by them
 * @param mtuBytes of every interface
 * @param shell whether to open a shell in place of running iperf3
 * @param reportDirectory where report and iperf3 results go
 * @param captureDirectory where the capture goes
 * @param prefix put before the namespaces' names
 * @param seed of the switch's seeded choices
 * @param gso whether hosts' offloads stay on, and their TCP segments pass the switch whole
 */
@Withers
public record LabOptions(
        DeviceKind device,
        String workers,
        String idle,
        String rate,
        int seconds,
        int mtuBytes,
        boolean ipv6,
        boolean shell,
        @JsonIgnore Path reportDirectory,
        @JsonIgnore Path captureDirectory,
        String prefix,
        long seed,
        boolean gso)
        implements LabOptionsBuilder.With {
    /** The same for a network of a file, whose links have rates of their own: the highest. */
    public LabOptions of(Topology topology) {
        long fastestBps =
                topology.links().stream()
                        .mapToLong(link -> link.spec().rateBps())
                        .max()
                        .orElseThrow();
        String fastest = Quantity.RATE.format(fastestBps);
        return withRate(fastest).withMtuBytes(topology.sizes().mtuBytes());
    }

    /** The devices of the switch's ports. */
    public enum DeviceKind {
        AFPACKET,
        AFXDP,
        TAP;

        /** As configuration and command line write it. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
