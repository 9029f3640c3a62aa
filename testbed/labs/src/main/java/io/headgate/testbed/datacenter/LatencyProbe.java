package io.headgate.testbed.datacenter;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.netns.BedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Sends UDP datagrams from one host to another at a steady low rate, each with its sending time:
 * one machine, one clock. Two threads from the constructor to {@link #end}.
 */
final class LatencyProbe implements AutoCloseable {
    private static final int PORT = 9;
    private static final int DATAGRAM_BYTES = 64;
    private static final long INTERVAL_NS = 2_000_000;
    private static final long MOST_NS = 100_000_000_000L;
    private static final long LATECOMERS_NS = 500_000_000;

    private final DatagramChannel sender;
    private final DatagramChannel receiver;
    private final InetSocketAddress to;
    private final Thread sending;
    private final Thread receiving;
    private final Histogram histogram = new Histogram(MOST_NS, 3);
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean ending;

    /**
     * The result of a probe.
     *
     * @param lost that had not come half a second after the last was sent
     */
    record Latency(long sent, long lost, double p50Us, double p99Us, double maxUs) {}

    /**
     * Begins.
     *
     * @param tos type of service byte of the datagrams
     */
    LatencyProbe(String fromNetns, String toNetns, String toAddress, int tos) throws BedException {
        try {
            to = new InetSocketAddress(toAddress, PORT);
            receiver = NetworkNamespace.call(toNetns, () -> open(PORT, 0));
            sender = NetworkNamespace.call(fromNetns, () -> open(0, tos));
        } catch (DeviceException failure) {
            throw new BedException(failure);
        }
        receiving = Thread.ofPlatform().daemon().name("headgate-probe-in").start(this::receive);
        sending = Thread.ofPlatform().daemon().name("headgate-probe-out").start(this::send);
    }

    /** A socket belongs to the namespace in which it was made. */
    private static DatagramChannel open(int port, int tos) throws DeviceException {
        try {
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.setOption(StandardSocketOptions.IP_TOS, tos);
            channel.bind(new InetSocketAddress(port));
            return channel;
        } catch (IOException failure) {
            throw new DeviceException("cannot open a socket: " + Reason.of(failure), failure);
        }
    }

    private void send() {
        ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM_BYTES);
        long nextNs = System.nanoTime();
        while (!ending) {
            datagram.clear().putLong(0, System.nanoTime());
            try {
                sender.send(datagram, to);
                sent.incrementAndGet();
            } catch (IOException closed) {
                return;
            }
            nextNs += INTERVAL_NS;
            LockSupport.parkNanos(nextNs - System.nanoTime());
        }
    }

    private void receive() {
        ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM_BYTES);
        try {
            while (true) {
                datagram.clear();
                receiver.receive(datagram);
                long ns = Math.max(0, System.nanoTime() - datagram.getLong(0));
                synchronized (histogram) {
                    histogram.recordValue(Math.min(ns, MOST_NS));
                }
            }
        } catch (IOException closed) {
            return;
        }
    }

    private long received() {
        synchronized (histogram) {
            return histogram.getTotalCount();
        }
    }

    /** Stops sending, waits for what is under way, and answers what was seen. */
    Latency end() throws BedException {
        ending = true;
        LockSupport.unpark(sending);
        join(sending);
        long endNs = System.nanoTime() + LATECOMERS_NS;
        while (received() < sent.get() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(INTERVAL_NS);
        }
        close();
        join(receiving);
        synchronized (histogram) {
            return new Latency(
                    sent.get(),
                    sent.get() - histogram.getTotalCount(),
                    histogram.getValueAtPercentile(50) / 1e3,
                    histogram.getValueAtPercentile(99) / 1e3,
                    histogram.getMaxValue() / 1e3);
        }
    }

    private static void join(Thread thread) throws BedException {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BedException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        ending = true;
        try {
            sender.close();
            receiver.close();
        } catch (IOException gone) {
            return; // a socket that is closed already
        }
    }
}
