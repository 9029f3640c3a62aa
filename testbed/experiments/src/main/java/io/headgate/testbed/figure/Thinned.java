package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Reduces the points of a line: more points than the print has dots only make files large. */
final class Thinned {
    /** Maximum number of steps; more cannot be distinguished. */
    static final int STEPS = 120;

    private Thinned() {}

    /**
     * The points that can be drawn: finite, and positive on a logarithmic axis. If there are too
     * many, the largest and the smallest of each stretch remain, so that no peak is lost; means
     * over intervals become means over longer intervals. A missing value between others stays, and
     * the line has a gap there.
     */
    static Line of(Line line, Figure figure, int most) {
        boolean isLinear = !figure.x().logarithmic() && !figure.y().logarithmic();
        if (line.style() == Style.STEP && line.x().length > STEPS && isLinear) {
            return means(line);
        }
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

    /** The same over intervals that are longer by a whole factor, of what is there of each. */
    private static Line means(Line line) {
        double[] x = line.x();
        int each = Math.ceilDiv(x.length, STEPS);
        double[] middles = new double[Math.ceilDiv(x.length, each)];
        double[] means = new double[middles.length];
        for (int i = 0; i < middles.length; i++) {
            int from = i * each;
            int to = Math.min(from + each, x.length);
            // The last one may be shorter, and begins where the others would.
            middles[i] = x[from] + (each - 1) / 2.0 * (x[1] - x[0]);
            means[i] =
                    Arrays.stream(line.y(), from, to)
                            .filter(Double::isFinite)
                            .average()
                            .orElse(Double.NaN);
        }
        return new Line(line.name(), line.style(), middles, means).withPanel(line.panel());
    }

    private static boolean fits(double value, Figure.Axis axis) {
        return Double.isFinite(value) && (!axis.logarithmic() || value > 0);
    }
}
