package io.headgate.hostagent.rdma;

import io.headgate.config.key.Codecs;

/**
 * What a client measures.
 *
 * @param messageBytes of each message
 * @param messages of each connection; 0: as many as there is time for
 * @param durationNs for so long new messages are sent; 0: until all have been
 * @param depth messages of a connection that may wait or be under way
 */
public record PerfPlan(Test test, int messageBytes, long messages, long durationNs, int depth) {
    /** What is measured. */
    public enum Test {
        SEND_BW(Verb.SEND),
        WRITE_BW(Verb.WRITE),
        LAT(Verb.SEND);

        private final Verb verb;

        Test(Verb verb) {
            this.verb = verb;
        }

        /** What it is called in commands and output. */
        public String label() {
            return Codecs.word(this);
        }

        Verb verb() {
            return verb;
        }
    }

    /** The same for latency, which has one message under way. */
    int depthOf() {
        return test == Test.LAT ? 1 : depth;
    }
}
