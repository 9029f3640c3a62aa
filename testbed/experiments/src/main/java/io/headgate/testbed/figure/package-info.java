/**
 * Draws figures in one style for papers: {@link io.headgate.testbed.figure.Panels} decides the
 * panel and the name of each line, {@link io.headgate.testbed.figure.Scale} on what axes, {@link
 * io.headgate.testbed.figure.Painter} what ink is where, and {@link
 * io.headgate.testbed.figure.FigureFiles} writes it as SVG, PDF, PNG, and the numbers as CSV. Sizes
 * are in points of print; a figure is one or two columns of a paper wide and is never scaled there.
 *
 * <p>Only here are classes of PDFBox named, and none is loaded before a figure is drawn: a switch
 * never does.
 */
@NullMarked
package io.headgate.testbed.figure;

import org.jspecify.annotations.NullMarked;
