package io.headgate.config;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Common;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Permanent;
import io.headgate.config.key.Says;
import io.headgate.config.key.When;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how one switch behaves: the resolved configuration, defaults filled in. A
 * run's report carries this value whole, so that the run can be repeated from it.
 *
 * @param address {@code null} if the switch has none
 */
@Withers
public record SwitchConfig(
        @Key(pattern = "^[A-Za-z0-9_-]{1,32}$")
                @Says("The switch's name in every output.")
                @Allowed("1 to 32 letters, digits, - or _, such as s1")
                @Fixed("commands and outputs identify the switch by it")
                String name,
        @Key(absent = "bridge")
                @Says("Whether frames are bridged by MAC address or routed by IP address.")
                @Fixed("the forwarding tables are laid out for it at the start")
                Mode mode,
        @Key(codec = Addresses.Prefixed.class)
                @Says(
                        "The switch's own address, which answers ping and is the source of its"
                                + " notifications. Without it the switch has none.")
                @Allowed(Addresses.PREFIXED_ALLOWED)
                @Fixed("the local port gets it at the start")
                @Nullable InterfaceAddress address,
        @Key
                @Says("The ports, in the order of their numbers.")
                @Allowed(
                        "a list of 1 to 128 ports, such as [{name: p1, device: {afpacket:"
                                + " veth1}}]")
                @Permanent("ports are made at the start")
                @Items(
                        min = 1,
                        max = 128,
                        each =
                                "a mapping with at least name and device, such as {name: p1,"
                                        + " device: {afpacket: veth1}}")
                @Common(
                        says = "Settings of all ports; a port's own setting takes precedence.",
                        allowed = "a mapping, such as {rate: 10Gbps, mtu: 1500}")
                List<PortConfig> ports,
        @Key
                @Says("How a switch in bridge mode learns and floods.")
                @Allowed("a mapping, such as {ageing: 300s}")
                @When(
                        key = "mode",
                        is = {"bridge"})
                BridgeConfig bridge,
        @Key
                @Says(
                        "How a switch in routed mode finds its next hops. The networks of its"
                                + " ports need no routes.")
                @Allowed("a mapping, such as {routes: [{prefix: 10.9.0.0/16, via: 10.0.1.2}]}")
                @When(
                        key = "mode",
                        is = {"routed"})
                RoutedConfig routed,
        @Key
                @Says("The frame memory.")
                @Allowed("a mapping, such as {slot: 4KiB, slots-per-port: 8192}")
                @Fixed("memory is laid out at the start")
                MemoryConfig memory,
        @Key
                @Says("Which threads run the halves of the ports.")
                @Allowed("a mapping, such as {layout: auto, idle: backoff}")
                @Fixed("threads are made at the start")
                WorkerConfig workers,
        @Inline(codec = Mechanisms.OfSwitch.class) Mechanisms mechanisms,
        @Key(min = "-9223372036854775808", max = "9223372036854775807", absent = "1")
                @Says(
                        "Seed of every random choice (ECMP hash, generators). The same seed and"
                                + " configuration give the same choices.")
                @Allowed("a whole number of 64 bits, such as 42")
                @Fixed("every choice since the start depends on it")
                long seed)
        implements SwitchConfigBuilder.With {

    public SwitchConfig {
        ports = List.copyOf(ports);
    }

    /** How a switch chooses the egress of a frame. */
    public enum Mode {
        BRIDGE,
        ROUTED
    }
}
