/**
 * Draws figures in one style for papers: {@link io.headgate.testbed.figure.Panels} chooses the
 * panel and the name of each line, {@link io.headgate.testbed.figure.Scale} the axes, {@link
 * io.headgate.testbed.figure.Painter} places the elements, and {@link
 * io.headgate.testbed.figure.FigureFiles} writes the figure as SVG, PDF and PNG, and the numbers as
 * CSV. Sizes are in printed points; a figure is one or two columns of a paper wide and is never
 * scaled there.
 *
 * <p>Only this package uses classes of PDFBox, and none is loaded before a figure is drawn, so a
 * switch never loads them.
 */
@NullMarked
package io.headgate.testbed.figure;

import org.jspecify.annotations.NullMarked;
