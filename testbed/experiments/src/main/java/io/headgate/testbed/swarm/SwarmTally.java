package io.headgate.testbed.swarm;

/**
 * Counts what happened in the passing cases, because a case in which no flow was blocked shows
 * nothing about unblocking. Owned by one thread.
 */
public final class SwarmTally {
    private int cases;
    private int tokens;
    private int escaped;
    private int unblocked;
    private int deadlocked;

    void add(CaseRun.Result result) {
        cases++;
        tokens += result.tokens().getOrDefault("made", 0L) > 0 ? 1 : 0;
        escaped += result.tokens().getOrDefault("escaped", 0L) > 0 ? 1 : 0;
        unblocked += result.unblocked() > 0 ? 1 : 0;
        deadlocked += result.deadlocked() ? 1 : 0;
    }

    void add(SwarmTally other) {
        cases += other.cases;
        tokens += other.tokens;
        escaped += other.escaped;
        unblocked += other.unblocked;
        deadlocked += other.deadlocked;
    }

    /** A summary for people. */
    public String describe() {
        return ("of %d seeds that pass: in %d senders were paused and tokens made, in %d frames"
                        + " escaped, in %d a blocked flow had an open path and continued; %d ended"
                        + " in a cyclic wait that Escape cannot end")
                .formatted(cases, tokens, escaped, unblocked, deadlocked);
    }
}
