package io.headgate.dataplane.engine;

/**
 * Tells a duty's runner that the duty has new input. Rung after the input is in place, at most once
 * per burst and consumer. On the same worker and in virtual time a ring sets a bit, for a spinning
 * worker it costs one flag test, for a sleeping worker it writes an eventfd.
 */
@FunctionalInterface
public interface Doorbell {
    /** Frames in a channel towards this duty. */
    int FRAMES = 1;

    /** Slots came home. */
    int RETURNS = 1 << 1;

    /** Orders, or a request of another duty. */
    int ORDERS = 1 << 2;

    /** The device has received or completed something. */
    int DEVICE = 1 << 3;

    /** Rings for this duty; {@code inputs} is a mask of its inputs with new content. */
    void ring(int inputs);
}
