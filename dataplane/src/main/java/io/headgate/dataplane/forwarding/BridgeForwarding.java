package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * Forwarding by MAC address (IEEE 802.1Q clause 8.6). Reads the forwarding database without locks,
 * and requests its owner through {@link Learning} to learn source addresses.
 */
public final class BridgeForwarding implements Forwarding {
    /** Receives the learning requests of one ingress half. */
    public interface Learning {
        /** Asks the table's owner to learn or refresh an address; may refuse. */
        void request(long nowNs, long key, int port);

        /** Called at the end of a batch: publishes its requests. */
        void flush();
    }

    private static final long NS_PER_MS = 1_000_000;

    /** A source is looked up again after this long, so that a move is noticed. */
    private static final long RECHECK_NS = NS_PER_MS;

    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    /** The top bits of the hash that number the 256 places for sources looked at. */
    private static final int CHECKED_SHIFT = 56;

    private static final int VLAN_NOT_ALLOWED = Forwarding.drop(DropReason.VLAN_NOT_ALLOWED);
    private static final int BAD_SOURCE_MAC = Forwarding.drop(DropReason.BAD_SOURCE_MAC);
    private static final int SAME_PORT = Forwarding.drop(DropReason.SAME_PORT);

    private final int port;
    private final VlanTable vlans;
    private final ForwardingDatabase database;
    private final Learning learning;
    private long refreshMs;

    // Sources looked at in this period, sealed with it; the newest address wins its place. With
    // the next period's seal none of them is found again.
    private final long[] checked = new long[1 << (64 - CHECKED_SHIFT)];
    private long periodStartNs = Long.MIN_VALUE / 2;
    private long seal;

    /**
     * @param ageingNs lifetime of an entry; one in use is refreshed after an eighth of it
     */
    public BridgeForwarding(
            int port,
            VlanTable vlans,
            ForwardingDatabase database,
            Learning learning,
            long ageingNs) {
        this.port = port;
        this.vlans = vlans;
        this.database = database;
        this.learning = learning;
        ageing(ageingNs);
    }

    @Override
    public void ageing(long ageingNs) {
        refreshMs = Math.max(1, ageingNs / 8 / NS_PER_MS);
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        if (nowNs - periodStartNs >= RECHECK_NS) {
            periodStartNs = nowNs;
            seal += HASH_FACTOR;
        }
        // In locals: the compiler must otherwise read them again for every frame.
        long[] seen = checked;
        long[] words = database.words();
        long sealed = seal;
        int untagged = vlans.classify(port, false, 0);
        for (int i = 0; i < count; i++) {
            if (answers[i] != UNDECIDED) {
                continue;
            }
            Frame frame = batch[i];
            int vlan = frame.tagged ? vlans.classify(port, true, frame.vlan) : untagged;
            if (vlan == 0) {
                answers[i] = VLAN_NOT_ALLOWED;
                continue;
            }
            frame.vlan = vlan;
            long source = Ethernet.source(FrameRegion.MEMORY, frame.dataOffset);
            if (!MacAddress.isValidSource(source)) {
                answers[i] = BAD_SOURCE_MAC;
                continue;
            }
            long sourceKey = ForwardingDatabase.key(vlan, source);
            int place = (int) ((sourceKey * HASH_FACTOR) >>> CHECKED_SHIFT);
            if (seen[place] != (sourceKey ^ sealed)) {
                seen[place] = sourceKey ^ sealed;
                learn(nowNs, sourceKey);
            }
            long destination = Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
            answers[i] = egress(words, ForwardingDatabase.key(vlan, destination));
        }
        learning.flush();
    }

    /** Entries are of ports that carry the VLAN: learned there, or checked when configured. */
    private int egress(long[] words, long key) {
        if (MacAddress.isGroup(key)) {
            return FLOOD;
        }
        long entry = ForwardingDatabase.lookup(words, key);
        if (entry == ForwardingDatabase.NONE) {
            return FLOOD;
        }
        int egress = ForwardingDatabase.port(entry);
        return egress == port ? SAME_PORT : egress;
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return vlans.members(frame.vlan);
    }

    /** Asks for an address that is not known here. */
    private void learn(long nowNs, long key) {
        long entry = database.lookup(key);
        boolean known =
                entry != ForwardingDatabase.NONE
                        && (ForwardingDatabase.isStatic(entry)
                                || (ForwardingDatabase.port(entry) == port
                                        && nowNs / NS_PER_MS - ForwardingDatabase.seenMs(entry)
                                                < refreshMs));
        if (!known) {
            learning.request(nowNs, key, port);
        }
    }
}
