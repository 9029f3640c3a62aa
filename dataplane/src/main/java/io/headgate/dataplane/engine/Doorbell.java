package io.headgate.dataplane.engine;

/**
 * Tells a duty's runner that the duty has new input. Rung after the input is in place: at most once
 * per burst and consumer. On the same worker and in virtual time it sets a bit, to a spinning
 * worker it costs one flag test, to a sleeping one it writes an eventfd.
 */
@FunctionalInterface
public interface Doorbell {
    /** Frames in a channel towards this duty. */
    int FRAMES = 1;

    /** Frames that came home. */
    int RETURNS = 1 << 1;

    /** Orders, or what another duty asks of this one. */
    int ORDERS = 1 << 2;

    /** The device has received or completed something. */
    int DEVICE = 1 << 3;

    /** Says which of this duty's inputs has something new. */
    void ring(int inputs);
}
