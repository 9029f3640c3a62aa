package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.scenario.bed.watch.OffPeriods;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames that have crossed a congested port, from the frames on links alone, without the
 * engine or any detector. The probe knows when each frame came to a switch, when and by which port
 * it left, and the credits and pauses from the port's far end. From these it computes the frames
 * that waited there, the offered load, and when the port was OFF.
 *
 * <p>A port is congested at a time if the load offered to it in the window before exceeds its rate,
 * its queue is above a threshold, and (optionally) it was not OFF within the window. The offered
 * load is counted in bits: if whole frames were counted at their last bit, frames that exactly fill
 * a link would seem one too many in a window that is not a whole number of frames. Only frames that
 * came earlier count as waiting: a port cannot know of a frame that comes in the same instant in
 * which another one starts.
 *
 * <p>Frames that have not left at the end of a run do not count, so networks should drain. Handles
 * untagged datagrams of one lossless priority that are each sent once.
 */
public final class CongestionProbe implements LinkObserver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final WireFormat WIRE = WireFormat.ETHERNET;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long MISSING = -1;

    // Tolerance of a load: times on a wire are whole ps, and paced senders' rates whole ns.
    private static final double ROUNDING = 1e-4;

    // Excess of a load that is too small for TCD to detect with its default epsilon.
    private static final double LITTLE = 0.05;

    private final long thresholdBytes;
    private final @Nullable Port[] ports;
    private final long[] ratesBps;
    private final Long2LongHashMap numbers = new Long2LongHashMap(MISSING);

    // For each frame: when it came to its latest place, and the code point that it left with.
    private int frames;
    private long[] cameAtPs = new long[1024];
    private long[] cameForPs = new long[1024];
    private byte[] codePoints = new byte[1024];

    /**
     * The score of marks: right, wrong and missed ones.
     *
     * @param missedByLittle number of missed frames that crossed no port with an overload of at
     *     least 5 %
     */
    public record Score(long rightly, long wrongly, long missed, long missedByLittle) {
        /** The sum of both scores. */
        public Score plus(Score other) {
            return new Score(
                    rightly + other.rightly,
                    wrongly + other.wrongly,
                    missed + other.missed,
                    missedByLittle + other.missedByLittle);
        }

        /** Share of the marked frames that crossed a congested port; NaN if no frame is marked. */
        public double precision() {
            return (double) rightly / (rightly + wrongly);
        }

        /** Share of the frames that crossed a congested port and are marked. */
        public double recall() {
            return (double) rightly / (rightly + missed);
        }
    }

    /** A port of a switch, and the frames that left by it, in that order. */
    private static final class Port {
        private final long rateBps;
        private final long windowPs;
        private int count;
        private long[] inPs = new long[256];
        private long[] inForPs = new long[256];
        private long[] outPs = new long[256];
        private int[] bytes = new int[256];
        private int[] frame = new int[256];
        private long[] offPs = new long[256];
        private final OffPeriods off;

        Port(long rateBps, long windowPs) {
            this.rateBps = rateBps;
            this.windowPs = windowPs;
            this.off = new OffPeriods(rateBps);
        }

        /**
         * @param in when its last bit came
         * @param inFor how long it came for
         */
        void add(long in, long inFor, long out, int lengthBytes, int number) {
            if (count == inPs.length) {
                inPs = Arrays.copyOf(inPs, 2 * count);
                inForPs = Arrays.copyOf(inForPs, 2 * count);
                outPs = Arrays.copyOf(outPs, 2 * count);
                bytes = Arrays.copyOf(bytes, 2 * count);
                frame = Arrays.copyOf(frame, 2 * count);
                offPs = Arrays.copyOf(offPs, 2 * count);
            }
            long headPs = count == 0 ? in : Math.max(in, outPs[count - 1]);
            offPs[count] = off.starts(headPs, out, lengthBytes);
            inPs[count] = in;
            inForPs[count] = inFor;
            outPs[count] = out;
            bytes[count] = lengthBytes;
            frame[count++] = number;
        }

        /**
         * For each frame that left while the port was congested: the port's overload as a share of
         * its rate; 0 for the others.
         *
         * @param stops whether a port that was OFF within the window is not congested
         */
        double[] congested(long thresholdBytes, boolean stops) {
            Arrivals arrivals = new Arrivals(this);
            double carriedBytes = (double) windowPs * rateBps / (8 * PS_PER_S);
            double[] excess = new double[count];
            long leftBytes = 0;
            for (int i = 0; i < count; i++) {
                long nowPs = outPs[i];
                leftBytes += bytes[i];
                double offeredBytes =
                        arrivals.wireBytes(nowPs) - arrivals.wireBytes(nowPs - windowPs);
                double over = offeredBytes / carriedBytes - 1;
                boolean isLong = arrivals.bytes(nowPs) - leftBytes > thresholdBytes;
                boolean stopped = stops && nowPs - offPs[i] <= windowPs;
                excess[i] = over > ROUNDING && isLong && !stopped ? over : 0;
            }
            return excess;
        }

        boolean wasEverOff() {
            for (int i = 0; i < count; i++) {
                if (offPs[i] > offPs[0]) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What came to a port, in the order in which it did. */
    private static final class Arrivals {
        private final long[] atPs;
        private final long[] forPs;
        private final long[] sumBytes;
        private final long[] sumWireBytes;
        private final long longestPs;

        Arrivals(Port port) {
            int count = port.count;
            Integer[] order = new Integer[count];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, (a, b) -> Long.compare(port.inPs[a], port.inPs[b]));
            atPs = new long[count];
            forPs = new long[count];
            sumBytes = new long[count + 1];
            sumWireBytes = new long[count + 1];
            long longest = 0;
            for (int i = 0; i < count; i++) {
                atPs[i] = port.inPs[order[i]];
                forPs[i] = port.inForPs[order[i]];
                longest = Math.max(longest, forPs[i]);
                int length = port.bytes[order[i]];
                sumBytes[i + 1] = sumBytes[i] + length;
                sumWireBytes[i + 1] = sumWireBytes[i] + WIRE.wireBytes(length);
            }
            longestPs = longest;
        }

        /** Bytes of the frames that came before a time. */
        long bytes(long timePs) {
            return sumBytes[before(timePs)];
        }

        /** Bytes on the wire that came before a time, also of frames that were still coming. */
        double wireBytes(long timePs) {
            int next = before(timePs);
            double sum = sumWireBytes[next];
            for (int i = next; i < atPs.length && atPs[i] - longestPs < timePs; i++) {
                long sincePs = timePs - (atPs[i] - forPs[i]);
                if (sincePs > 0) {
                    sum += (double) (sumWireBytes[i + 1] - sumWireBytes[i]) * sincePs / forPs[i];
                }
            }
            return sum;
        }

        private int before(long timePs) {
            int low = 0;
            int high = atPs.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (atPs[middle] < timePs) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /**
     * @param windowPs for each port of a switch, the window in which the offered load is computed
     * @param thresholdBytes queues longer than this count as long
     */
    public CongestionProbe(
            NetworkPlan plan, ToLongFunction<LinkPlan.End> windowPs, long thresholdBytes) {
        this.thresholdBytes = thresholdBytes;
        this.ports = new Port[2 * plan.links().size()];
        this.ratesBps = new long[ports.length];
        for (LinkPlan link : plan.links()) {
            // Directions are numbered as VirtualLink.direction does.
            for (int end = 0; end < 2; end++) {
                ratesBps[2 * link.number() + end] = link.spec().rateBps();
                LinkPlan.End from = end == 0 ? link.a() : link.b();
                if (!from.isHost()) {
                    ports[2 * link.number() + end] =
                            new Port(link.spec().rateBps(), windowPs.applyAsLong(from));
                }
            }
        }
    }

    @Override
    public void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        Port port = ports[direction];
        int header = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES;
        if (storedBytes < header + TrafficHeader.BYTES
                || Ethernet.etherType(MEMORY, address) != EtherType.IPV4
                || Ipv4.protocol(MEMORY, address + Ethernet.HEADER_BYTES) != IpProtocol.UDP
                || (TrafficHeader.kind(MEMORY, address + header) & TrafficHeader.KIND_MASK)
                        != TrafficHeader.DATA) {
            Port far = ports[direction ^ 1];
            if (far != null) {
                far.off.hears(arrivePs, storedBytes, address);
            }
            return;
        }
        int number = number(address + header);
        if (port != null) {
            port.add(cameAtPs[number], cameForPs[number], startPs, lengthBytes, number);
        }
        cameAtPs[number] = arrivePs;
        cameForPs[number] = WIRE.wireBytes(lengthBytes) * 8L * PS_PER_S / ratesBps[direction];
        codePoints[number] = (byte) Ipv4.ecn(MEMORY, address + Ethernet.HEADER_BYTES);
    }

    private int number(long header) {
        long key =
                (long) TrafficHeader.host(MEMORY, header) << 48
                        | (TrafficHeader.flow(MEMORY, header) & 0xFFFFL) << 32
                        | Integer.toUnsignedLong(TrafficHeader.sequence(MEMORY, header));
        long known = numbers.get(key);
        if (known != MISSING) {
            return (int) known;
        }
        if (frames == cameAtPs.length) {
            cameAtPs = Arrays.copyOf(cameAtPs, 2 * frames);
            cameForPs = Arrays.copyOf(cameForPs, 2 * frames);
            codePoints = Arrays.copyOf(codePoints, 2 * frames);
        }
        numbers.put(key, frames);
        return frames++;
    }

    /** Whether any port of a switch was OFF between two frames. */
    public boolean everStopped() {
        for (Port port : ports) {
            if (port != null && port.wasEverOff()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Scores the marks "congestion experienced" of all frames.
     *
     * @param stops as in the definition of a congested port
     */
    public Score score(boolean stops) {
        double[] guilt = new double[frames];
        for (Port port : ports) {
            if (port != null) {
                double[] excess = port.congested(thresholdBytes, stops);
                for (int i = 0; i < excess.length; i++) {
                    int frame = port.frame[i];
                    guilt[frame] = Math.max(guilt[frame], excess[i]);
                }
            }
        }
        long rightly = 0;
        long wrongly = 0;
        long missed = 0;
        long missedByLittle = 0;
        for (int i = 0; i < frames; i++) {
            boolean marked = codePoints[i] == FrameShape.CE;
            boolean guilty = guilt[i] > 0;
            rightly += marked && guilty ? 1 : 0;
            wrongly += marked && !guilty ? 1 : 0;
            missed += !marked && guilty ? 1 : 0;
            missedByLittle += !marked && guilty && guilt[i] < LITTLE ? 1 : 0;
        }
        return new Score(rightly, wrongly, missed, missedByLittle);
    }
}
