package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.telemetry.SeenFlow;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.util.List;

/** The ports by which the frames of each flow came to a host, with their telemetry. */
public final class TelemetryTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of(
                "telemetry", "with --host: the ports on each flow's path, and the queues there");
    }

    @Override
    public String text(ShowRequest request) throws DaemonException {
        FlowPaths.View view = request.paths();
        if (view == null) {
            return "this host does not read telemetry; add congestion: {telemetry: {}} to its"
                    + " configuration\n";
        }
        return view.flows().isEmpty()
                ? "no frame with telemetry has arrived yet\n"
                : SeenFlow.text(flows(request, view), view.unnotedFrames());
    }

    private static List<SeenFlow> flows(ShowRequest request, FlowPaths.View view) {
        return SeenFlow.of(view, request.numbers(), System.nanoTime());
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException {
        record Telemetry(boolean isTakenOff, long unnotedFrames, List<SeenFlow> flows) {}

        FlowPaths.View view = request.paths();
        return view == null
                ? new Telemetry(false, 0, List.of())
                : new Telemetry(true, view.unnotedFrames(), flows(request, view));
    }
}
