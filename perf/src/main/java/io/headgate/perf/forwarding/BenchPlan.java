package io.headgate.perf.forwarding;

import java.util.List;

/**
 * The plan of the forwarding benchmark.
 *
 * @param devices which attachments: {@code afpacket}, {@code afxdp}
 * @param peers which: {@code pfc}, {@code copy}, {@code testpmd}, {@code ovs}, {@code bridge}
 * @param sizesBytes of frames with their FCS, 64 to 1518
 * @param pairs rounds in which every device under test is measured once
 * @param seconds of a throughput trial
 * @param searchTrials of the search for the rate without loss; 0: no search
 * @param searchSeconds of each of them
 * @param probes round trips a round
 * @param warmUpSeconds of saturating load after a device has started
 * @param saturate whether to load to saturation; otherwise a low rate only
 * @param generatorCore generator, sink and probes
 * @param deviceCore the forwarding thread of whatever is measured
 * @param seed of payloads and resampling
 */
public record BenchPlan(
        List<String> devices,
        List<String> peers,
        List<Integer> sizesBytes,
        int pairs,
        double seconds,
        int searchTrials,
        double searchSeconds,
        int probes,
        double warmUpSeconds,
        boolean saturate,
        int generatorCore,
        int deviceCore,
        long seed) {

    public BenchPlan {
        devices = List.copyOf(devices);
        peers = List.copyOf(peers);
        sizesBytes = List.copyOf(sizesBytes);
    }

    /** Whether a device of the run sends XDP frames: then every sink takes them, for fairness. */
    public boolean sendsXdpFrames() {
        return devices.contains("afxdp");
    }

    /** The same, short: sanity and counts, nothing that is a result. */
    public BenchPlan smoke() {
        return new BenchPlan(
                devices,
                peers,
                List.of(64, 1518),
                1,
                0.3,
                0,
                0,
                100,
                0,
                false,
                generatorCore,
                deviceCore,
                seed);
    }
}
