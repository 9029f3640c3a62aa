package io.headgate.hostagent.rdma;

/**
 * The plan of a client's measurement.
 *
 * @param messageBytes bytes of each message
 * @param messages number of messages of each connection; 0: limited by time only
 * @param durationNs time for which new messages are sent; 0: until all have been sent
 * @param depth messages of a connection that may wait or be under way
 */
public record PerfPlan(Test test, int messageBytes, long messages, long durationNs, int depth) {
    /** The quantity that is measured. */
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

        /** Its name in commands and output. */
        public String label() {
            return label;
        }

        Verb verb() {
            return verb;
        }
    }
}
