package io.headgate.testbed.figure;

import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.util.List;

/** Hollow markers of points. The markers of a panel also differ in their shape. */
enum Marker {
    CIRCLE,
    SQUARE(-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9),
    DIAMOND(0.0, -1.2, 1.2, 0.0, 0.0, 1.2, -1.2, 0.0),
    UP(0.0, -1.2, 1.15, 0.9, -1.15, 0.9),
    DOWN(0.0, 1.2, 1.15, -0.9, -1.15, -0.9);

    private static final double RADIUS = 1.35;
    private static final double LINE = 0.6;

    @SuppressWarnings("ImmutableEnumChecker") // a copy by List.of
    private final List<Double> corners;

    Marker(Double... corners) {
        this.corners = List.of(corners);
    }

    static Marker of(int series) {
        return values()[series % values().length];
    }

    /** The marker at a place, over what is below it. */
    Ink at(double x, double y, String colour) {
        Path2D path = new Path2D.Double();
        if (corners.isEmpty()) {
            path.append(
                    new Ellipse2D.Double(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS), false);
        } else {
            for (int i = 0; i < corners.size(); i += 2) {
                Pane.to(path, x + RADIUS * corners.get(i), y + RADIUS * corners.get(i + 1));
            }
            path.closePath();
        }
        return new Ink.Shape(path, "#FFFFFF", 1, colour, LINE, List.of());
    }
}
