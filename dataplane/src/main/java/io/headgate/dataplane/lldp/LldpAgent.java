package io.headgate.dataplane.lldp;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.LldpConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.local.LinkLocalListener;
import io.headgate.dataplane.local.LocalSender;
import io.headgate.dataplane.memory.sync.PublishedWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Says at each port whose link is up who is here, in equal intervals, and remembers what came there
 * last. One neighbour a port: a link has two ends. A duty of the local port's worker; what it
 * remembers any thread may read.
 */
public final class LldpAgent implements Duty, LinkLocalListener {
    /** Ports that came up are looked for this often, or once an interval. */
    private static final long LOOK_NS = 1_000_000_000L;

    // Of what was heard at a port: a number that is odd while it is written, when, and how long.
    private static final int NUMBER = 0;
    private static final int RECEIVED_NS = 1;
    private static final int LENGTH = 2;
    private static final int FIRST = 3;

    private static final int READS = 1000;

    private final PortRegistry registry;
    private final LocalSender sender;
    private MemorySegment[] frames;
    private final PublishedWords[] heard;
    private final long[] nextNs;
    private final long intervalNs;
    private final LldpConfig config;
    private final SwitchAddresses addresses;
    private final CounterBlock counters;
    private long lookNs;

    /**
     * What a neighbour said last.
     *
     * @param receivedNs when, on the engine's clock
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Heard(long receivedNs, byte[] unit) {}

    public LldpAgent(
            SwitchConfig switchConfig,
            LldpConfig config,
            SwitchAddresses addresses,
            PortRegistry registry,
            LocalSender sender,
            CounterBlock counters) {
        this.config = config;
        this.addresses = addresses;
        this.registry = registry;
        this.sender = sender;
        this.counters = counters;
        this.intervalNs = config.intervalNs();
        int ports = switchConfig.ports().size();
        this.frames = frames(switchConfig);
        this.heard = new PublishedWords[ports];
        this.nextNs = new long[ports];
        Arrays.setAll(
                heard,
                port -> new PublishedWords(FIRST + Math.ceilDiv(LldpUnit.MAX_BYTES, Long.BYTES)));
    }

    /**
     * Any thread: makes what another configuration has to say of the same ports.
     *
     * @return run by the owner, has it said from then on
     */
    public Runnable saying(SwitchConfig next) {
        MemorySegment[] made = frames(next);
        return () -> frames = made;
    }

    private MemorySegment[] frames(SwitchConfig switchConfig) {
        MemorySegment[] made = new MemorySegment[switchConfig.ports().size()];
        Arrays.setAll(made, port -> frame(switchConfig, port));
        return made;
    }

    /** Whether what is said of a port is another with its new configuration. */
    public static boolean differs(PortConfig before, PortConfig next) {
        return !before.traffic().weights().equals(next.traffic().weights());
    }

    private MemorySegment frame(SwitchConfig switchConfig, int number) {
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
        Ethernet.source(frame, 0, addresses.mac(number));
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
    public String name() {
        return "lldp";
    }

    @Override
    public int doWork(long nowNs) {
        if (lookNs - nowNs > 0) {
            return 0;
        }
        int work = 0;
        for (int port = 0; port < frames.length; port++) {
            if (!registry.isUp(port)) {
                nextNs[port] = nowNs;
            } else if (nextNs[port] - nowNs <= 0) {
                sender.send(frames[port], 0, (int) frames[port].byteSize(), port);
                nextNs[port] = nowNs + intervalNs;
                work++;
            }
        }
        lookNs = nowNs + Math.min(LOOK_NS, intervalNs);
        return work;
    }

    @Override
    public long deadlineNs() {
        return lookNs;
    }

    /**
     * A frame came. One that does not hold together is as if it had not (IEEE 802.1AB, 9.2.7.7).
     */
    @Override
    public void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes) {
        if (port >= heard.length) {
            return;
        }
        int length = Math.min(bytes - Ethernet.HEADER_BYTES, LldpUnit.MAX_BYTES);
        if (!LldpUnit.isValid(segment, frame + Ethernet.HEADER_BYTES, length)) {
            counters.add(ForwardingCounter.LLDP_DISCARDED, 1);
            return;
        }
        counters.add(ForwardingCounter.LLDP_RECEIVED, 1);
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

    /** What came last at a port; null if nothing has. Any thread. */
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
