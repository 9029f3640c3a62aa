package io.headgate.hostagent.rdma;

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
        SEND_BW("send-bw", Verb.SEND),
        WRITE_BW("write-bw", Verb.WRITE),
        LAT("lat", Verb.SEND);

        private final String label;
        private final Verb verb;

        Test(String label, Verb verb) {
            this.label = label;
            this.verb = verb;
        }

        /** What it is called in commands and output. */
        public String label() {
            return label;
        }

        Verb verb() {
            return verb;
        }
    }
}
