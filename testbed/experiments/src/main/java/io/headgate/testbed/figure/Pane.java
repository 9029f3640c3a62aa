package io.headgate.testbed.figure;

import io.headgate.testbed.figure.Panels.Placed;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/**
 * The place of a panel on its sheet. Converts values in the plot's units to places on the sheet.
 * Lengths are in points.
 */
record Pane(Plot plot, String panel, double left, double top, double width, double height) {
    double right() {
        return left + width;
    }

    double bottom() {
        return top + height;
    }

    /**
     * The place of a value on the horizontal axis; for a value beyond the axis, the axis's nearer
     * end.
     */
    double x(double value) {
        Scale scale = plot.horizontal;
        return across(scale.place(Math.clamp(value * scale.factor(), scale.low(), scale.high())));
    }

    /**
     * The place of a value on the vertical axis; for a value beyond the axis, the axis's nearer
     * end.
     */
    double y(double value) {
        Scale scale = plot.vertical;
        return up(scale.place(Math.clamp(value * scale.factor(), scale.low(), scale.high())));
    }

    double across(double share) {
        return left + share * width;
    }

    /** The place of a share of the height, from the bottom. */
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
