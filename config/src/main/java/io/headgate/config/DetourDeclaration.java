package io.headgate.config;

/**
 * A mechanism that moves frames of a port past its queues. The configuration knows only what it
 * needs from other parts; the module that runs it extends this interface with a method that makes
 * one from a record.
 */
public interface DetourDeclaration<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.DETOUR;
    }

    /** Its needs at a port, whether it is on or off. */
    DetourNeeds needs(C configuration);

    default DetourNeeds needsOf(Mechanisms.Use use) {
        return needs(of(use));
    }

    /**
     * The configuration at a port of a network, with the values that follow from the port's place
     * and that a file would otherwise have to give.
     *
     * @param isToHost whether a host is at the far end of the link
     * @param ports of the switch
     */
    default C placed(C configuration, boolean isToHost, int ports) {
        return configuration;
    }

    /** The same for a use of this mechanism. */
    default Mechanisms.Use placedUse(Mechanisms.Use use, boolean isToHost, int ports) {
        return use(placed(of(use), isToHost, ports)).enabled(use.isEnabled());
    }
}
