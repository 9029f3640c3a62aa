package example;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.control.show.CounterTable;
import io.headgate.control.show.Heading;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import java.util.List;

/** How long the frames of each port are on average. */
public final class FrameSizes implements CounterTable<FrameSizes.Row> {
    /** A port; means are 0 where no frame passed. */
    public record Row(
            String port, long inFrames, double inMeanBytes, long outFrames, double outMeanBytes) {}

    @Override
    public Heading heading() {
        return Heading.of("frame-sizes", "how long the frames of each port are on average");
    }

    @Override
    public List<Row> rows(CounterSnapshot counters, double seconds) {
        return counters.owners(Scope.INGRESS).stream().map(port -> row(counters, port)).toList();
    }

    private static Row row(CounterSnapshot counters, String port) {
        long in = counters.value(Scope.INGRESS, port, IngressCounter.FRAMES_RECEIVED);
        long inBytes = counters.value(Scope.INGRESS, port, IngressCounter.BYTES_RECEIVED);
        long out = counters.value(Scope.EGRESS, port, EgressCounter.FRAMES_TRANSMITTED);
        long outBytes = counters.value(Scope.EGRESS, port, EgressCounter.BYTES_TRANSMITTED);
        return new Row(port, in, mean(inBytes, in), out, mean(outBytes, out));
    }

    private static double mean(long bytes, long frames) {
        return frames == 0 ? 0 : (double) bytes / frames;
    }

    @Override
    public List<Column<Row>> columns(List<Row> rows, double seconds) {
        return List.of(
                column("port", Row::port),
                column(">in (frames)", Row::inFrames),
                number(">mean (bytes)", "%.1f", Row::inMeanBytes),
                column(">out (frames)", Row::outFrames),
                number(">mean (bytes)", "%.1f", Row::outMeanBytes));
    }
}
