package io.headgate.dataplane.service;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.local.LocalSender;
import java.util.function.IntPredicate;

/**
 * What a service is given, once.
 *
 * @param config of the switch, in force
 * @param isUp whether the link of a port is up
 * @param sender takes frames that it makes
 * @param counters its own, in the order of {@link ServiceMechanism#counters}
 */
public record ServiceSetup(
        SwitchConfig config,
        SwitchAddresses addresses,
        IntPredicate isUp,
        LocalSender sender,
        ServiceCounters counters) {}
