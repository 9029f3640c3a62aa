package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What of a line is drawn: more points than the print has dots make files large. */
final class Thinned {
    private Thinned() {}

    /**
     * The points that can be drawn: finite, positive on a logarithmic axis, and where there are too
     * many, the largest and the smallest of each stretch, so that no peak is lost. Where a value is
     * missing between others it stays, and the line has a gap there.
     */
    static Line of(Line line, Figure figure, int most) {
        int[] good =
                IntStream.range(0, line.x().length)
                        .filter(i -> fits(line.x()[i], figure.x()))
                        .filter(i -> !figure.y().logarithmic() || !(line.y()[i] <= 0))
                        .toArray();
        if (good.length <= most || line.style() == Style.POINTS) {
            return line.at(good);
        }
        int stretches = most / 2;
        int[] kept = new int[2 * stretches];
        int count = 0;
        for (int stretch = 0; stretch < stretches; stretch++) {
            int from = (int) ((long) good.length * stretch / stretches);
            int to = (int) ((long) good.length * (stretch + 1) / stretches);
            int low = good[from];
            int high = good[from];
            for (int i = from; i < to; i++) {
                low = line.y()[good[i]] < line.y()[low] ? good[i] : low;
                high = line.y()[good[i]] > line.y()[high] ? good[i] : high;
            }
            kept[count++] = Math.min(low, high);
            if (low != high) {
                kept[count++] = Math.max(low, high);
            }
        }
        return line.at(Arrays.copyOf(kept, count));
    }

    private static boolean fits(double value, Figure.Axis axis) {
        return Double.isFinite(value) && (!axis.logarithmic() || value > 0);
    }
}
