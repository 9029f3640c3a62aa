package io.headgate.dataplane.flowcontrol;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Classify;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Classifies frames into the eight priorities by one field and one table per port (IEEE 802.1Q 6.9,
 * RFC 2474). Without state, so both halves of a port may use the same one.
 *
 * <p>Both ends of a link must classify alike, or a pause stops the wrong frames; then their {@link
 * #digest} is equal.
 */
public final class Classifier implements Classify {
    private final TrafficConfig.Trust trust;
    private final byte defaultPriority;
    private final byte[] byPcp;
    private final byte[] byDscp;
    private final byte[] pcpOf;
    private final long digest;

    public Classifier(TrafficConfig traffic) {
        this.trust = traffic.classify().trust();
        this.defaultPriority = (byte) traffic.classify().defaultPriority();
        this.byPcp = new byte[TrafficConfig.PRIORITIES];
        this.byDscp = new byte[TrafficConfig.DSCPS];
        this.pcpOf = new byte[TrafficConfig.PRIORITIES];
        for (int pcp = 0; pcp < TrafficConfig.PRIORITIES; pcp++) {
            byPcp[pcp] = traffic.classify().priorityOfPcp().get(pcp).byteValue();
            pcpOf[pcp] = (byte) pcp;
        }
        // A code point other than the priority itself is only needed where that leads elsewhere.
        for (int pcp = TrafficConfig.PRIORITIES - 1; pcp >= 0; pcp--) {
            int priority = byPcp[pcp];
            if (byPcp[priority] != priority) {
                pcpOf[priority] = (byte) pcp;
            }
        }
        for (int dscp = 0; dscp < TrafficConfig.DSCPS; dscp++) {
            byDscp[dscp] = traffic.classify().priorityOfDscp().get(dscp).byteValue();
        }
        this.digest = digest(traffic.losslessMask());
    }

    @Override
    public int classify(int pcp, int dscp) {
        if (trust == TrafficConfig.Trust.PCP) {
            return pcp == ABSENT ? defaultPriority : byPcp[pcp];
        }
        return trust == TrafficConfig.Trust.PORT || dscp == ABSENT ? defaultPriority : byDscp[dscp];
    }

    /**
     * The priority of a parsed frame, from its present bytes.
     *
     * @param segment memory into which {@link Frame#dataOffset} is an offset
     */
    public int priorityOf(MemorySegment segment, Frame frame) {
        if (trust == TrafficConfig.Trust.DSCP) {
            return frame.ipOffset == Frame.ABSENT ? defaultPriority : byDscp[dscp(segment, frame)];
        }
        if (trust == TrafficConfig.Trust.PORT || !frame.tagged) {
            return defaultPriority;
        }
        long tag = frame.dataOffset + Ethernet.ETHER_TYPE_OFFSET;
        return byPcp[Vlan.priority(Vlan.tci(segment, tag))];
    }

    private static int dscp(MemorySegment segment, Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        return frame.etherType == EtherType.IPV4 ? Ipv4.dscp(segment, ip) : Ipv6.dscp(segment, ip);
    }

    /**
     * A tag's code point that gives a frame this priority, if there is one; otherwise the priority.
     */
    public int pcpOf(int priority) {
        return pcpOf[priority];
    }

    /** Whether the priority is the tag's code point, which the parser has found already. */
    public boolean isPlain() {
        boolean plain = trust == TrafficConfig.Trust.PCP && defaultPriority == 0;
        for (int pcp = 0; pcp < TrafficConfig.PRIORITIES; pcp++) {
            plain &= byPcp[pcp] == pcp;
        }
        return plain;
    }

    /**
     * Whether another classifier gives every frame the same priority, also after the frame has
     * passed a switch. A switch alters tags, so neither may classify by them; it does not alter the
     * DSCP.
     */
    public boolean classifiesAlike(Classifier other) {
        return trust != TrafficConfig.Trust.PCP
                && trust == other.trust
                && defaultPriority == other.defaultPriority
                && (trust == TrafficConfig.Trust.PORT || Arrays.equals(byDscp, other.byDscp));
    }

    /**
     * A digest that is equal for two ports that classify every frame alike and have the same
     * lossless priorities.
     */
    public long digest() {
        return digest;
    }

    /**
     * Covers only the fields that the mode reads: two ports with the same trust may differ in
     * others.
     */
    private long digest(int lossless) {
        long hash = mix(trust.ordinal() + 1L, lossless);
        hash = mix(hash, defaultPriority);
        byte[] table =
                switch (trust) {
                    case PORT -> new byte[0];
                    case PCP -> byPcp;
                    case DSCP -> byDscp;
                };
        for (byte priority : table) {
            hash = mix(hash, priority);
        }
        return hash;
    }

    private static long mix(long hash, long value) {
        return FlowHash.mix(hash * 0x9E37_79B9_7F4A_7C15L + value + 1);
    }
}
