package io.headgate.dataplane.lldp;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.local.LocalSender;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.service.LocalService;
import io.headgate.dataplane.service.ServiceCounters;
import io.headgate.dataplane.service.ServiceSetup;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends an LLDP frame at equal intervals on each port with its link up, and remembers the last one
 * received there. One neighbour per port, because a link has two ends. Any thread may read what was
 * received.
 */
public final class LldpAgent implements LocalService {
    /** Ports that came up are looked for this often, or once an interval. */
    private static final long LOOK_NS = 1_000_000_000L;

    // Of what was heard at a port: a number that is odd while it is written, when, and how long.
    private static final int NUMBER = 0;
    private static final int RECEIVED_NS = 1;
    private static final int LENGTH = 2;
    private static final int FIRST = 3;

    private static final int READS = 1000;

    private final IntPredicate isUp;
    private final LocalSender sender;
    private final MemorySegment[] frames;
    private final PublishedWords[] heard;
    private final long[] nextNs;
    private final long intervalNs;
    private final ServiceCounters counters;
    private long lookNs;

    /**
     * The last LLDP unit of a neighbour.
     *
     * @param receivedNs time of receipt, on the engine's clock
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Heard(long receivedNs, byte[] unit) {}

    LldpAgent(LldpConfig config, ServiceSetup setup) {
        this.isUp = setup.isUp();
        this.sender = setup.sender();
        this.counters = setup.counters();
        this.intervalNs = config.intervalNs();
        int ports = setup.config().ports().size();
        this.frames = new MemorySegment[ports];
        this.heard = new PublishedWords[ports];
        this.nextNs = new long[ports];
        Arrays.setAll(frames, port -> frame(config, setup, port));
        Arrays.setAll(
                heard,
                port -> new PublishedWords(FIRST + Math.ceilDiv(LldpUnit.MAX_BYTES, Long.BYTES)));
    }

    /**
     * Continues for another agent: sends one interval after the other's last frame, and takes over
     * its neighbours.
     */
    @Override
    public void goOnFrom(LocalService before) {
        if (before instanceof LldpAgent agent) {
            System.arraycopy(agent.heard, 0, heard, 0, heard.length);
            Arrays.setAll(nextNs, port -> agent.nextNs[port] - agent.intervalNs + intervalNs);
            lookNs = agent.lookNs - agent.pauseNs() + pauseNs();
        }
    }

    private static MemorySegment frame(LldpConfig config, ServiceSetup setup, int number) {
        SwitchConfig switchConfig = setup.config();
        PortConfig port = switchConfig.ports().get(number);
        byte[] unit =
                LldpUnit.write(
                        SwitchAddresses.mac(switchConfig.name(), -1),
                        port.name(),
                        config.timeToLiveSeconds(),
                        switchConfig.name(),
                        pfcPriorities(port),
                        port.traffic().weights());
        MemorySegment frame = MemorySegment.ofArray(new byte[Ethernet.HEADER_BYTES + unit.length]);
        Ethernet.destination(frame, 0, MacAddress.NEAREST_BRIDGE);
        Ethernet.source(frame, 0, setup.addresses().mac(number));
        Ethernet.etherType(frame, 0, EtherType.LLDP);
        MemorySegment.copy(
                MemorySegment.ofArray(unit), 0, frame, Ethernet.HEADER_BYTES, unit.length);
        return frame;
    }

    /** The priorities of a port that have priority flow control, as bits. */
    public static int pfcPriorities(PortConfig port) {
        return port.flowControl().mode() == FlowControlConfig.Mode.PFC
                ? port.traffic().losslessMask()
                : 0;
    }

    @Override
    public int doWork(long nowNs) {
        if (lookNs - nowNs > 0) {
            return 0;
        }
        int work = 0;
        for (int port = 0; port < frames.length; port++) {
            if (!isUp.test(port)) {
                nextNs[port] = nowNs;
            } else if (nextNs[port] - nowNs <= 0) {
                sender.send(frames[port], 0, (int) frames[port].byteSize(), port);
                nextNs[port] = nowNs + intervalNs;
                work++;
            }
        }
        lookNs = nowNs + pauseNs();
        return work;
    }

    private long pauseNs() {
        return Math.min(LOOK_NS, intervalNs);
    }

    @Override
    public long deadlineNs() {
        return lookNs;
    }

    /** Handles a received frame. An invalid one is ignored (IEEE 802.1AB, 9.2.7.7). */
    @Override
    public void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes) {
        if (port >= heard.length) {
            return;
        }
        int length = Math.min(bytes - Ethernet.HEADER_BYTES, LldpUnit.MAX_BYTES);
        if (!LldpUnit.isValid(segment, frame + Ethernet.HEADER_BYTES, length)) {
            counters.count(Lldp.DISCARDED);
            return;
        }
        counters.count(Lldp.RECEIVED);
        PublishedWords words = heard[port];
        long number = words.loadOpaque(NUMBER);
        // Pairs with heard(int): who sees a word of this one sees an odd number, or another one.
        words.storeRelease(NUMBER, number + 1);
        words.storeRelease(RECEIVED_NS, nowNs);
        words.storeRelease(LENGTH, length);
        long from = frame + Ethernet.HEADER_BYTES;
        for (int at = 0; at < length; at += Long.BYTES) {
            long word = 0;
            for (int i = at; i < Math.min(at + Long.BYTES, length); i++) {
                long octet = segment.get(ValueLayout.JAVA_BYTE, from + i) & 0xFFL;
                word |= octet << (Byte.SIZE * (i - at));
            }
            words.storeRelease(FIRST + at / Long.BYTES, word);
        }
        words.storeRelease(NUMBER, number + 2);
    }

    /** The last unit received at a port; null if there is none. Any thread. */
    public @Nullable Heard heard(int port) {
        PublishedWords words = heard[port];
        for (int read = 0; read < READS; read++) {
            // Pairs with the stores of heard above.
            long number = words.loadAcquire(NUMBER);
            if (number == 0) {
                return null;
            }
            long receivedNs = words.loadAcquire(RECEIVED_NS);
            int length = (int) words.loadAcquire(LENGTH);
            ByteBuffer unit = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                long word = words.loadAcquire(FIRST + i / Long.BYTES);
                unit.put((byte) (word >>> (Byte.SIZE * (i % Long.BYTES))));
            }
            if ((number & 1) == 0 && words.loadAcquire(NUMBER) == number) {
                return new Heard(receivedNs, unit.array());
            }
        }
        return null;
    }
}
