package io.headgate.dataplane.assembly;

import io.headgate.config.BridgeConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import java.util.function.LongPredicate;

/**
 * The only writer of a bridge's forwarding database: learns addresses on request of the ingress
 * halves, counts and limits addresses that move between ports, and removes those that were not seen
 * for the ageing time or are on a port that went down (IEEE 802.1Q clause 8.7, 8.8.3). Owned by the
 * local port's worker.
 */
public final class ForwardingOwner implements Duty {
    private static final int LEARN_BURST = 64;
    private static final long NS_PER_MS = 1_000_000;
    private static final long SWEEP_INTERVAL_NS = 100 * NS_PER_MS;

    /** The whole table is looked at once a second. */
    private static final int SWEEPS_PER_TABLE = 10;

    /**
     * Maximum number of slots checked per call: more than a tenth of a table of the default size.
     */
    private static final int SWEEP_SLOTS = 4096;

    private static final int MOVE_SLOTS = 1024;
    private static final long MOVE_WINDOW_MS = 1000;

    private final ForwardingDatabase database;
    private final LearnRequests[] requestsByPort;
    private final PortRegistry registry;
    private final CounterBlock counters;
    private final LongPredicate expired = this::isExpired;
    private long ageingMs;
    private int moveLimitPerSec;

    // How often an address moved of late: a small table, the newest address wins its slot.
    private final long[] moveKeys = new long[MOVE_SLOTS];
    private final long[] moveWindowMs = new long[MOVE_SLOTS];
    private final int[] moves = new int[MOVE_SLOTS];

    // The next sweep, or the one under way: when it began, and slots that it has still to look at.
    private long sweepNs = Long.MAX_VALUE;
    private long sweptFromNs;
    private int toSweep;
    private long deadlineNs = Long.MAX_VALUE;

    // Whether this call stopped at its bound: what is left behind rings no more.
    private boolean stoppedShort;
    private long nowMs;
    private long flushed;

    ForwardingOwner(
            ForwardingDatabase database,
            LearnRequests[] requestsByPort,
            PortRegistry registry,
            CounterBlock counters,
            BridgeConfig config) {
        this.database = database;
        this.requestsByPort = requestsByPort;
        this.registry = registry;
        this.counters = counters;
        change(config);
    }

    /** On its own worker: applies another configuration, with a table of the same size. */
    void change(BridgeConfig config) {
        ageingMs = config.ageingNs() / NS_PER_MS;
        moveLimitPerSec = config.moveLimitPerSec();
    }

    @Override
    public String name() {
        return "fdb";
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public int doWork(long nowNs) {
        stoppedShort = false;
        int work = learn(nowNs);
        if (sweepNs - nowNs <= 0) {
            sweep(nowNs);
            work++;
        }
        if (work > 0) {
            counters.set(ForwardingCounter.ENTRIES, database.size());
            if (sweepNs == Long.MAX_VALUE && database.size() > 0) {
                sweepNs = nowNs + SWEEP_INTERVAL_NS;
            }
        }
        deadlineNs = stoppedShort ? nowNs : sweepNs;
        return work;
    }

    private int learn(long nowNs) {
        int work = 0;
        for (int port = 0; port < requestsByPort.length; port++) {
            int learned = 0;
            while (learned < LEARN_BURST) {
                long key = requestsByPort[port].poll();
                if (key == 0) {
                    break;
                }
                learn(nowNs / NS_PER_MS, key, port);
                learned++;
            }
            stoppedShort |= learned == LEARN_BURST;
            work += learned;
        }
        return work;
    }

    private void learn(long ms, long key, int port) {
        long entry = database.lookup(key);
        if (entry == ForwardingDatabase.NONE) {
            if (database.put(key, port, false, ms)) {
                counters.add(ForwardingCounter.LEARNED, 1);
            } else {
                counters.add(ForwardingCounter.TABLE_FULL, 1);
            }
        } else if (ForwardingDatabase.isStatic(entry)) {
            counters.add(ForwardingCounter.MOVES_REFUSED, 1);
        } else if (ForwardingDatabase.port(entry) == port) {
            database.put(key, port, false, ms);
        } else if (mayMove(ms, key)) {
            database.put(key, port, false, ms);
            counters.add(ForwardingCounter.MOVED, 1);
        } else {
            counters.add(ForwardingCounter.MOVES_REFUSED, 1);
        }
    }

    private boolean mayMove(long ms, long key) {
        int slot = (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 54);
        if (moveKeys[slot] != key || ms - moveWindowMs[slot] >= MOVE_WINDOW_MS) {
            moveKeys[slot] = key;
            moveWindowMs[slot] = ms;
            moves[slot] = 0;
        }
        if (moves[slot] >= moveLimitPerSec) {
            return false;
        }
        moves[slot]++;
        return true;
    }

    private void sweep(long nowNs) {
        if (toSweep == 0) {
            toSweep = database.slots() / SWEEPS_PER_TABLE + 1;
            sweptFromNs = nowNs;
        }
        int slots = Math.min(toSweep, SWEEP_SLOTS);
        toSweep -= slots;
        nowMs = nowNs / NS_PER_MS;
        flushed = 0;
        int removed = database.sweep(slots, expired);
        counters.add(ForwardingCounter.FLUSHED, flushed);
        counters.add(ForwardingCounter.AGED, removed - flushed);
        if (toSweep == 0) {
            sweepNs = database.size() == 0 ? Long.MAX_VALUE : sweptFromNs + SWEEP_INTERVAL_NS;
        }
    }

    private boolean isExpired(long entry) {
        if (ForwardingDatabase.isStatic(entry)) {
            return false;
        }
        if (!registry.isUp(ForwardingDatabase.port(entry))) {
            flushed++;
            return true;
        }
        return nowMs - ForwardingDatabase.seenMs(entry) > ageingMs;
    }
}
