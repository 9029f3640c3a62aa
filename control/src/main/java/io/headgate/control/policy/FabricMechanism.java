package io.headgate.control.policy;

import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.domain.DomainMechanism;
import io.headgate.dataplane.domain.DomainSetup;
import io.headgate.dataplane.openqueue.Fabric;

/** A switch whose ports an OpenQueue policy lays out; see {@link Fabric}. */
public final class FabricMechanism implements DomainMechanism<FabricConfig> {

    @Override
    public String name() {
        return Fabric.NAME;
    }

    @Override
    public String says() {
        return "Frames wait at inputs, crosspoints and outputs as an OpenQueue policy of several"
                + " ports says (config/policies/README.md). The ports' queue-limit and scheduler do"
                + " not apply then.";
    }

    @Override
    public Class<FabricConfig> configuration() {
        return FabricConfig.class;
    }

    @Override
    public Domain domain(FabricConfig configuration, DomainSetup setup) {
        return new Fabric(
                configuration.file().policy(),
                configuration.binding(),
                configuration.seed(),
                setup);
    }
}
