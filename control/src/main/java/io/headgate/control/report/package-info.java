/**
 * The report of a run: the command, its environment and its results, as JSON for programs and as
 * text for people. Made once at the end of a run, by its thread.
 */
@NullMarked
package io.headgate.control.report;

import org.jspecify.annotations.NullMarked;
