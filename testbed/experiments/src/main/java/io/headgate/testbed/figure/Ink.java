package io.headgate.testbed.figure;

import java.awt.geom.Path2D;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An element of a drawing. Lengths are in points; y goes downwards. */
sealed interface Ink {
    /**
     * A path that is filled, stroked or both.
     *
     * @param fill colour such as {@code #E3E3E3}; null: none
     * @param opacity of the filling, 0 to 1
     * @param stroke colour of the line; null: none
     * @param width of the line
     * @param dash lengths of strokes and gaps in turn; empty: a solid line
     */
    record Shape(
            Path2D path,
            @Nullable String fill,
            double opacity,
            @Nullable String stroke,
            double width,
            List<Double> dash)
            implements Ink {
        public Shape {
            dash = List.copyOf(dash);
        }

        static Shape filled(Path2D path, String colour, double opacity) {
            return new Shape(path, colour, opacity, null, 0, List.of());
        }

        static Shape stroked(Path2D path, String colour, double width, List<Double> dash) {
            return new Shape(path, null, 1, colour, width, dash);
        }
    }

    /**
     * A line of text.
     *
     * @param x place on the base line, to which {@code align} refers
     * @param align share of the text to the left of that place: 0, 0.5 or 1
     * @param isUpright whether it runs upwards
     */
    record Words(
            String text,
            double x,
            double y,
            double points,
            String colour,
            double align,
            boolean isUpright)
            implements Ink {}
}
