package io.headgate.dataplane.policy;

/**
 * Classification policy: decides which of the eight priorities a frame has, only from its bytes.
 */
public interface Classify {
    /** Stands for a field that a frame does not have. */
    int ABSENT = -1;

    /**
     * The priority, 0 to 7.
     *
     * @param pcp priority code point of the outer tag, 0 to 7, or {@link #ABSENT}
     * @param dscp code point of the IP header, 0 to 63, or {@link #ABSENT}
     */
    int classify(int pcp, int dscp);
}
