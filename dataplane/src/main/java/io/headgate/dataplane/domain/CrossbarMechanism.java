package io.headgate.dataplane.domain;

/** An input-buffered crossbar; see {@link Crossbar}. */
public final class CrossbarMechanism implements DomainMechanism<CrossbarConfig> {
    @Override
    public Domain domain(CrossbarConfig configuration, DomainSetup setup) {
        return new Crossbar(configuration, setup);
    }
}
