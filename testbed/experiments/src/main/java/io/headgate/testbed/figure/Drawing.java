package io.headgate.testbed.figure;

import java.util.List;

/**
 * A figure as it is printed.
 *
 * @param width in points
 * @param ink what is drawn first, first
 */
record Drawing(double width, double height, List<Ink> ink) {
    Drawing {
        ink = List.copyOf(ink);
    }
}
