package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afxdp.FrameGenerator;
import io.headgate.dataplane.device.afxdp.XdpPass;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces with two veth pairs for a switch of this process, and the generator at their far ends;
 * or two namespaces without, where the switch brings its own interfaces.
 */
public final class OneDevice implements AutoCloseable {
    private static final int SIZE_BYTES = 64;

    private final BenchNetwork network = new BenchNetwork();
    private final String netns;
    private @Nullable XdpPass left;
    private @Nullable XdpPass right;

    /** Makes them. */
    public OneDevice() throws BenchException {
        try {
            netns = network.addDevice(0);
        } catch (BenchException failure) {
            network.close();
            throw failure;
        }
    }

    /** The namespace for the switch's ports. */
    public String netns() {
        return netns;
    }

    /** The switch's two interfaces. */
    public static String left() {
        return BenchNetwork.LEFT;
    }

    /** See {@link #left()}. */
    public static String right() {
        return BenchNetwork.RIGHT;
    }

    /** A frame of 64 bytes with FCS from one station to the other. */
    public static byte[] frame(boolean toRight) {
        return TestFrame.of(SIZE_BYTES, toRight, new Random(1));
    }

    /** Has both interfaces take what the generator sends, where no AF_XDP port does that. */
    public void receiveLikeACard() throws BenchException {
        try {
            left = XdpPass.attach(netns, BenchNetwork.LEFT);
            right = XdpPass.attach(netns, BenchNetwork.RIGHT);
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    /** Has the station on the right take bursts as XDP frames. */
    public void takeXdpFrames() throws BenchException {
        network.takeXdpFrames(0, true);
    }

    /** Has the station on the right known to the switch, by a frame from there. */
    public void introduceRight() throws BenchException {
        send(network.generatorNamespace(), BenchNetwork.right(0), false, 10_000, 10_000_000);
    }

    /** Sends to the right. Answers how many frames. */
    public long sendRight(double framesPerSec, long durationNs) throws BenchException {
        String from = BenchNetwork.left(0);
        return send(network.generatorNamespace(), from, true, framesPerSec, durationNs);
    }

    /** Sends into an interface of the switch's own namespace, such as a TAP. */
    public long sendInto(String name, boolean toRight, double framesPerSec, long durationNs)
            throws BenchException {
        return send(netns, name, toRight, framesPerSec, durationNs);
    }

    private static long send(
            String netns, String name, boolean toRight, double framesPerSec, long durationNs)
            throws BenchException {
        byte[] frame = frame(toRight);
        try (FrameGenerator sender = new FrameGenerator(netns, name, frame)) {
            return sender.run(framesPerSec, durationNs).frames();
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    @Override
    public void close() {
        if (left != null) {
            left.close();
        }
        if (right != null) {
            right.close();
        }
        network.close();
    }
}
