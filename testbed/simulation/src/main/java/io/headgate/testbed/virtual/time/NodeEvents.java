package io.headgate.testbed.virtual.time;

import io.headgate.dataplane.memory.Prefetch;
import io.headgate.hostagent.rate.PacingWheel;
import java.util.Arrays;

/**
 * The pending events of one node, numbered from 0, each with at most one time. The next event is
 * the one with the earliest time, then with the lowest number. The data is small and close
 * together, because a node's events mostly run several in a row: a tournament tree (Knuth, volume
 * 3, 5.4.1), in which a change replays the matches on its way to the root.
 *
 * <p>Time and number are in one word that sorts by time, then by number; its size bounds both.
 *
 * <p>Also reports the time of the next event to the run's agenda, but not while the node runs.
 */
public final class NodeEvents implements Prefetch {
    private static final long NEVER = PacingWheel.NEVER;

    /** The last bits of a word: four events for each of 2,047 ports. */
    private static final int NUMBER_BITS = 13;

    private static final int NUMBERS = 1 << NUMBER_BITS;

    /** The last time of an event, in ps: 18 minutes. Later events never happen. */
    public static final long LAST_PS = (NEVER >>> NUMBER_BITS) - 1;

    private final PacingWheel agenda;
    private final int node;

    // Leaves are a power of two, the last half of the places; the winner between the places 2p and
    // 2p + 1 is at place p. Each is a time and, in its last bits, a number; or NEVER.
    private final long[] places;
    private final int leaves;
    private boolean running;

    /**
     * Creates a node's events, none of them pending.
     *
     * @param agenda agenda in which the node's number is its entity
     * @param events number of events
     */
    public NodeEvents(PacingWheel agenda, int node, int events) {
        this.agenda = agenda;
        this.node = node;
        if (events > NUMBERS) {
            throw new IllegalArgumentException(
                    "node %s has %s events; at most %s are allowed"
                            .formatted(node, events, NUMBERS));
        }
        leaves = Integer.highestOneBit(Math.max(1, events - 1)) << 1;
        places = new long[2 * leaves];
        Arrays.fill(places, NEVER);
    }

    public long timeOf(int event) {
        return time(places[leaves + event]);
    }

    /** Time of the next event; {@link PacingWheel#NEVER} if none is pending. */
    public long nextTime() {
        return time(places[1]);
    }

    private static long time(long entry) {
        return entry == NEVER ? NEVER : entry >>> NUMBER_BITS;
    }

    public void schedule(int event, long time) {
        replay(event, time > LAST_PS ? NEVER : (time << NUMBER_BITS) | event);
        if (!running) {
            tell();
        }
    }

    public void cancel(int event) {
        schedule(event, NEVER);
    }

    @Override
    public long prefetch(int distance) {
        long read = 0;
        for (int place = 0; place < places.length; place += 8) {
            read += places[place];
        }
        return read;
    }

    /** Begins the node's run: the agenda is not updated from now on. */
    public void begin() {
        running = true;
    }

    public void end() {
        running = false;
        tell();
    }

    /** While the node runs: takes its next event; there must be one. */
    public int poll() {
        int event = next();
        replay(event, NEVER);
        return event;
    }

    /** Its next event; there must be one. */
    public int next() {
        return (int) places[1] & (NUMBERS - 1);
    }

    private void replay(int event, long entry) {
        int place = leaves + event;
        long winner = entry;
        places[place] = winner;
        while (place > 1) {
            winner = Math.min(winner, places[place ^ 1]);
            place >>>= 1;
            places[place] = winner;
        }
    }

    private void tell() {
        long time = nextTime();
        if (time != agenda.timeOf(node)) {
            if (time == NEVER) {
                agenda.cancel(node);
            } else {
                agenda.schedule(node, time);
            }
        }
    }
}
