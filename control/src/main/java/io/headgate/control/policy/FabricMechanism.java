package io.headgate.control.policy;

import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.domain.DomainMechanism;
import io.headgate.dataplane.domain.DomainSetup;
import io.headgate.dataplane.openqueue.Fabric;

/** The mechanism that lays out a switch's ports by an OpenQueue policy; see {@link Fabric}. */
public final class FabricMechanism implements DomainMechanism<FabricConfig> {
    @Override
    public Domain domain(FabricConfig configuration, DomainSetup setup) {
        return new Fabric(
                configuration.file().policy(),
                configuration.binding(),
                configuration.seed(),
                setup);
    }
}
