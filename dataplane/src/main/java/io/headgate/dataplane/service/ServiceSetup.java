package io.headgate.dataplane.service;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.local.LocalSender;
import java.util.function.IntPredicate;

/**
 * The parts that a service receives once.
 *
 * @param config the switch's configuration in force
 * @param isUp whether the link of a port is up
 * @param sender takes the frames that the service makes
 * @param counters its own counters, in the order of {@link ServiceMechanism#counters}
 */
public record ServiceSetup(
        SwitchConfig config,
        SwitchAddresses addresses,
        IntPredicate isUp,
        LocalSender sender,
        ServiceCounters counters) {}
