package io.headgate.testbed.figure;

import io.headgate.testbed.figure.Panels.Placed;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/**
 * Where a panel is on its sheet: of values in the plot's own units it knows the place. Lengths are
 * points.
 */
record Pane(Plot plot, String panel, double left, double top, double width, double height) {
    double right() {
        return left + width;
    }

    double bottom() {
        return top + height;
    }

    /** Where a value of the horizontal axis is, or the end of the axis that is nearer to it. */
    double x(double value) {
        Scale scale = plot.horizontal;
        return across(scale.place(Math.clamp(value * scale.factor(), scale.low(), scale.high())));
    }

    /** Where a value of the vertical axis is, or the end of the axis that is nearer to it. */
    double y(double value) {
        Scale scale = plot.vertical;
        return up(scale.place(Math.clamp(value * scale.factor(), scale.low(), scale.high())));
    }

    double across(double share) {
        return left + share * width;
    }

    /** Where a share of the height is, from below. */
    double up(double share) {
        return bottom() - share * height;
    }

    boolean has(Placed line) {
        return line.panel().equals(panel);
    }

    static Path2D line(double fromX, double fromY, double toX, double toY) {
        Path2D line = new Path2D.Double();
        line.moveTo(fromX, fromY);
        line.lineTo(toX, toY);
        return line;
    }

    static Path2D rectangle(double left, double top, double right, double bottom) {
        return new Path2D.Double(new Rectangle2D.Double(left, top, right - left, bottom - top));
    }

    /** Goes on to a place, or begins there. */
    static void to(Path2D path, double x, double y) {
        if (path.getCurrentPoint() == null) {
            path.moveTo(x, y);
        } else {
            path.lineTo(x, y);
        }
    }
}
