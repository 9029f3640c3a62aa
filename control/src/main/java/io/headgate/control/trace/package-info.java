/**
 * What happened when, for viewers of traces: files in the Trace Event Format, and what the workers
 * of a running switch did in it. No thread of its own.
 */
@NullMarked
package io.headgate.control.trace;

import org.jspecify.annotations.NullMarked;
