package io.headgate.testbed.swarm.draw;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws the traffic of a case: its kind, hosts and duration. */
final class TrafficDrawer {
    private static final double BITS_PER_PS = 1e-12;
    private static final int MOST_FRAMES = 2000;

    private final Draw draw;
    private final Topology topology;
    private final PortSettings settings;
    private final long framePs;
    private final List<String> hosts;
    private final List<FrameShape> shapes = new ArrayList<>();
    private final List<String> sources = new ArrayList<>();
    private final long endPs;
    private final String victim;

    /**
     * @param isBlocked whether to draw few flows for a short time, because other flows are added
     */
    TrafficDrawer(
            Draw draw, Topology topology, PortSettings settings, long framePs, boolean isBlocked) {
        this.draw = draw;
        this.topology = topology;
        this.settings = settings;
        this.framePs = framePs;
        this.hosts = topology.hosts().stream().map(Topology.Host::name).toList();
        this.victim = draw.oneOf(hosts);
        int count = isBlocked ? draw.between(0, 2) : draw.between(1, 2 * hosts.size());
        for (int i = 0; i < count; i++) {
            shapes.add(shape());
            sources.add(draw.oneOf(hosts));
        }
        this.endPs = isBlocked ? draw.between(60L, 240L) * framePs : duration();
    }

    long endPs() {
        return endPs;
    }

    /**
     * The longest duration in which no more frames than a budget are sent, even if every host sends
     * all it can.
     */
    private long duration() {
        Map<String, Integer> shortest = new TreeMap<>();
        for (int i = 0; i < shapes.size(); i++) {
            int bytes =
                    shapes.get(i).frameLengthBytes(shapes.get(i).segmentation().maxSegmentBytes());
            shortest.merge(sources.get(i), bytes, Math::min);
        }
        double framesPerPs = 0;
        for (Map.Entry<String, Integer> source : shortest.entrySet()) {
            double bits = 8.0 * (source.getValue() + Ethernet.WIRE_OVERHEAD_BYTES);
            framesPerPs += rateBps(source.getKey()) * BITS_PER_PS / bits;
        }
        long longest = StrictMath.round(draw.magnitude(200, MOST_FRAMES) / framesPerPs);
        return Math.min(longest, draw.magnitude(50, 600) * framePs) + framePs;
    }

    private long rateBps(String host) {
        return topology.links().stream()
                .filter(link -> link.a().equals(host) || link.b().equals(host))
                .map(Topology.Link::spec)
                .mapToLong(LinkSpec::rateBps)
                .findFirst()
                .orElseThrow();
    }

    private FrameShape shape() {
        int longest = topology.sizes().mtuBytes() + 14;
        int bytes = draw.chance(0.5) ? draw.oneOf(60, longest) : (int) draw.magnitude(60, longest);
        boolean roce = draw.chance(0.2);
        FrameShape plain = roce ? FrameShape.rocev2(Math.max(bytes, 80)) : FrameShape.udp(bytes);
        int priority = draw.chance(0.6) ? draw.oneOf(settings.lossless()) : draw.between(0, 7);
        FrameShape classified = plain.withPriority(priority, priority * 8 + draw.between(0, 7));
        return draw.chance(0.3) ? classified.withAcknowledgement(7, 56) : classified;
    }

    List<Stream> draw() {
        List<Stream> streams = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            streams.add(stream("flow" + i, sources.get(i), shapes.get(i)));
        }
        return streams;
    }

    private Stream stream(String name, String from, FrameShape shape) {
        String to = draw.chance(0.5) && !victim.equals(from) ? victim : otherThan(from);
        boolean many = draw.chance(0.2);
        boolean windowed = draw.chance(0.3);
        boolean ends = windowed || many || draw.chance(0.3);
        SendPattern pattern = many ? new SendPattern.Greedy() : pattern(from, ends);
        long startPs = draw.chance(0.5) ? 0 : draw.between(0L, endPs / 2);
        return new Stream(
                name,
                from,
                List.of(to),
                startPs,
                endPs,
                ends ? sizeBytes(shape, many) : FlowSpec.UNLIMITED,
                pattern,
                windowed ? draw.between(1, 40) : FlowSpec.DATAGRAMS,
                shape,
                many ? process() : null);
    }

    /** A source's flows go on when it has stopped: they must not be long. */
    private long sizeBytes(FrameShape shape, boolean many) {
        int frame = shape.segmentation().maxSegmentBytes();
        return draw.magnitude(1, (many ? 4L : 200L) * frame);
    }

    private String otherThan(String host) {
        String other = draw.oneOf(hosts);
        while (other.equals(host)) {
            other = draw.oneOf(hosts);
        }
        return other;
    }

    private ArrivalProcess process() {
        return switch (draw.between(0, 2)) {
            case 0 -> new ArrivalProcess.Poisson(draw.magnitude(4 * framePs, 100 * framePs));
            case 1 -> new ArrivalProcess.Periodic(draw.magnitude(4 * framePs, 100 * framePs), 0);
            default -> new ArrivalProcess.ClosedLoop(draw.magnitude(1, 100 * framePs));
        };
    }

    private SendPattern pattern(String from, boolean ends) {
        long rateBps = Math.max(1000, rateBps(from) * draw.between(1, 150) / 100);
        Lateness lateness = draw.oneOf(Lateness.MADE_UP, Lateness.FORGONE);
        int kind = draw.between(0, ends ? 2 : 3);
        return switch (kind) {
            case 0 -> new SendPattern.Greedy();
            case 1 -> new SendPattern.ConstantRate(rateBps, lateness);
            case 2 ->
                    new SendPattern.OnOff(
                            rateBps,
                            draw.magnitude(framePs, 50 * framePs),
                            draw.magnitude(framePs, 50 * framePs),
                            draw.chance(0.5),
                            lateness);
            default ->
                    new SendPattern.PoissonFrames(
                            draw.magnitude(Math.max(1, framePs / 4), 20 * framePs),
                            SizeDistribution.uniform(60, topology.sizes().mtuBytes() + 14));
        };
    }
}
