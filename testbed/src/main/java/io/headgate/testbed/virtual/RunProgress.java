package io.headgate.testbed.virtual;

/** Is told how far a run has come. */
@FunctionalInterface
public interface RunProgress {
    /** It is this time, and so many frames have been put on links. */
    void reached(long nowPs, long frameHops);
}
