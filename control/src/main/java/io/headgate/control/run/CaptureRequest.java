package io.headgate.control.run;

import java.util.List;
import java.util.Set;

/**
 * The frames that a capture takes, and its limits.
 *
 * @param ports names of ports; empty: all, the local port included
 * @param points the points at which frames are captured; empty: all
 * @param filter as {@link io.headgate.control.capture.CaptureFilter} reads it; empty: every frame
 * @param snapBytes maximum number of bytes kept of a frame, 14 to 16,384
 * @param limitFrames frames after which the capture ends; 0: no limit
 */
public record CaptureRequest(
        List<String> ports, Set<Point> points, String filter, int snapBytes, long limitFrames) {
    public static final int WHOLE_FRAMES = 16_384;

    /** A point at which a frame is captured. */
    public enum Point {
        /** Received by a port, before anything was done to it. */
        IN,
        /** Sent by a port, as it goes out. */
        OUT,
        /** Dropped, by either half. */
        DROPS
    }

    /** All frames, at all points, whole. */
    public static final CaptureRequest ALL =
            new CaptureRequest(List.of(), Set.of(), "", WHOLE_FRAMES, 0);

    public CaptureRequest {
        ports = List.copyOf(ports);
        points = Set.copyOf(points);
    }

    boolean wants(Point point) {
        return points.isEmpty() || points.contains(point);
    }
}
