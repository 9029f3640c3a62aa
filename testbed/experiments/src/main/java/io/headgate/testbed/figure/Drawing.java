package io.headgate.testbed.figure;

import java.util.List;

/**
 * A figure in its printed form.
 *
 * @param width width in points
 * @param ink the drawn elements, bottom layer first
 */
record Drawing(double width, double height, List<Ink> ink) {
    Drawing {
        ink = List.copyOf(ink);
    }
}
