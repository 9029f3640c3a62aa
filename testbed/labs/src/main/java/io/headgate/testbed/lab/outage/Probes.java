package io.headgate.testbed.lab.outage;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends the datagrams of all probes, and notes which of them arrive, in one thread. A datagram that
 * the sender's kernel refuses counts as one that did not arrive.
 */
public final class Probes implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long LOOK_NS = 5_000_000;

    /** How long those sent last may take, after all senders have stopped. */
    private static final long LATEST_NS = 500_000_000;

    private static final int FIRST_PORT = 47_000;
    private static final int DSCP_SHIFT = 2;

    private final List<Probe> probes = new ArrayList<>();
    private @Nullable Thread thread;
    private volatile boolean isOver;

    /** A running probe, used only by its thread until that has ended. */
    private static final class Probe {
        private final ProbeFlow flow;
        private final DatagramChannel sender;
        private final DatagramChannel receiver;
        private final InetSocketAddress to;
        private final long[] sentNs;
        private final BitSet arrived = new BitSet();
        private final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
        private int count;
        private int missing;
        private long dueNs;
        private long endNs;

        private Probe(
                ProbeFlow flow,
                DatagramChannel sender,
                DatagramChannel receiver,
                InetSocketAddress to) {
            this.flow = flow;
            this.sender = sender;
            this.receiver = receiver;
            this.to = to;
            this.sentNs = new long[(int) (flow.seconds() * NS_PER_S / flow.intervalNs()) + 1];
        }

        private void begin(long startNs) {
            dueNs = startNs + flow.startMs() * NS_PER_MS;
            endNs = dueNs + flow.seconds() * NS_PER_S;
        }

        private boolean hasSentAll() {
            return dueNs - endNs >= 0 || count == sentNs.length;
        }

        /** After a hold of this thread there are fewer datagrams, not many at once. */
        private void send(long nowNs) {
            sentNs[count] = nowNs;
            bytes.clear().putLong(count).flip();
            int taken = 1;
            try {
                taken = sender.send(bytes, to);
            } catch (IOException e) {
                // Such as no route at the host: it is missing like one that was lost.
            }
            if (taken > 0) {
                count++;
                missing++;
            }
            dueNs = Math.max(dueNs + flow.intervalNs(), nowNs + flow.intervalNs() / 2);
        }

        private void receive() throws IOException {
            bytes.clear();
            while (receiver.receive(bytes) != null) {
                bytes.flip();
                long number = bytes.remaining() == Long.BYTES ? bytes.getLong() : -1;
                if (number >= 0 && number < count && !arrived.get((int) number)) {
                    arrived.set((int) number);
                    missing--;
                }
                bytes.clear();
            }
        }
    }

    /**
     * The result of a probe.
     *
     * @param sent number of datagrams
     * @param lost of these
     * @param longest null if none is missing
     */
    record Probed(ProbeFlow flow, int sent, int lost, @Nullable Outage longest) {}

    /** Opens the sockets of all probes; each receiver has a port of its own. */
    public static Probes open(List<ProbeFlow> flows, NetnsNetwork network) throws BedException {
        Probes probes = new Probes();
        try {
            for (ProbeFlow flow : flows) {
                InetSocketAddress to =
                        new InetSocketAddress(
                                network.address(flow.to()), FIRST_PORT + probes.probes.size());
                DatagramChannel receiver = socket(network.hostNetns(flow.to()));
                DatagramChannel sender = socket(network.hostNetns(flow.from()));
                probes.probes.add(new Probe(flow, sender, receiver, to));
                receiver.bind(to);
                sender.setOption(StandardSocketOptions.IP_TOS, flow.dscp() << DSCP_SHIFT);
            }
        } catch (IOException | DeviceException e) {
            probes.close();
            throw new BedException("cannot open the sockets of probes: " + Reason.of(e), e);
        }
        return probes;
    }

    private static DatagramChannel socket(String namespace) throws DeviceException {
        return NetworkNamespace.call(
                namespace,
                () -> {
                    try {
                        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
                        channel.configureBlocking(false);
                        return channel;
                    } catch (IOException e) {
                        throw new DeviceException("no socket: " + Reason.of(e), e);
                    }
                });
    }

    /** Begins; the flows' times count from a moment of {@link System#nanoTime()}. */
    public void start(long startNs) {
        if (probes.isEmpty()) {
            return;
        }
        Thread own =
                Thread.ofPlatform().name("headgate-probes").daemon().unstarted(() -> run(startNs));
        thread = own;
        own.start();
    }

    private void run(long startNs) {
        long endNs = startNs;
        try {
            for (Probe probe : probes) {
                probe.begin(startNs);
                endNs = Math.max(endNs, probe.endNs + LATEST_NS);
            }
            while (!isOver && System.nanoTime() - endNs < 0) {
                long nextNs = System.nanoTime() + LOOK_NS;
                boolean isDone = true;
                for (Probe probe : probes) {
                    long nowNs = System.nanoTime();
                    if (!probe.hasSentAll()) {
                        if (probe.dueNs - nowNs <= 0) {
                            probe.send(nowNs);
                        }
                        nextNs = Math.min(nextNs, probe.dueNs);
                    }
                    probe.receive();
                    isDone &= probe.hasSentAll() && probe.missing == 0;
                }
                if (isDone) {
                    return;
                }
                LockSupport.parkNanos(Math.max(1, nextNs - System.nanoTime()));
            }
        } catch (IOException e) {
            // A receiver was closed: the lab ends before its time.
        }
    }

    /** What all came to, once each has sent what it should. */
    List<Probed> results() {
        Thread own = thread;
        try {
            if (own != null) {
                own.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Probed> results = new ArrayList<>();
        for (Probe probe : probes) {
            results.add(
                    new Probed(
                            probe.flow,
                            probe.count,
                            probe.missing,
                            Outage.longest(
                                    probe.sentNs,
                                    probe.count,
                                    probe.arrived,
                                    probe.flow.intervalNs())));
        }
        return results;
    }

    @Override
    public void close() {
        isOver = true;
        for (Probe probe : probes) {
            try (probe.sender;
                    probe.receiver) {
                // Both, though one refuses.
            } catch (IOException e) {
                // It is gone with its namespace.
            }
        }
    }
}
