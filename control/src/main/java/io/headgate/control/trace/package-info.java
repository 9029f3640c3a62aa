/**
 * Writes traces for viewers: files in the Trace Event Format, and the work of a running switch's
 * workers in this format. No thread of its own.
 */
@NullMarked
package io.headgate.control.trace;

import org.jspecify.annotations.NullMarked;
