package io.headgate.dataplane.domain;

/** A switch with small buffers at its inputs; see {@link InputBuffered}. */
public final class InputBufferedMechanism implements DomainMechanism<InputBufferedConfig> {
    @Override
    public Domain domain(InputBufferedConfig configuration, DomainSetup setup) {
        return new InputBuffered(configuration, setup);
    }
}
