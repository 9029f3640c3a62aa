package io.headgate.dataplane.domain;

/** An input-buffered crossbar; see {@link Crossbar}. */
public final class CrossbarMechanism implements DomainMechanism<CrossbarConfig> {

    @Override
    public String name() {
        return "crossbar";
    }

    @Override
    public String says() {
        return "Frames wait at their input ports and cross one at a time for each input and each"
                + " egress, which serves the inputs in turn (virtual output queues, round robin).";
    }

    @Override
    public Class<CrossbarConfig> configuration() {
        return CrossbarConfig.class;
    }

    @Override
    public Domain domain(CrossbarConfig configuration, DomainSetup setup) {
        return new Crossbar(configuration, setup);
    }
}
