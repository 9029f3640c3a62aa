package io.headgate.dataplane.domain;

/** A switch with small buffers at its inputs; see {@link InputBuffered}. */
public final class InputBufferedMechanism implements DomainMechanism<InputBufferedConfig> {

    @Override
    public String name() {
        return "input-buffered";
    }

    @Override
    public String says() {
        return "Packets wait at their input ports, whose buffers are as large as the credits that"
                + " they grant, and each output takes the oldest one of an input that is not being"
                + " read (Santos, Turner and Janakiraman, GLOBECOM 2002).";
    }

    @Override
    public Class<InputBufferedConfig> configuration() {
        return InputBufferedConfig.class;
    }

    @Override
    public Domain domain(InputBufferedConfig configuration, DomainSetup setup) {
        return new InputBuffered(configuration, setup);
    }
}
