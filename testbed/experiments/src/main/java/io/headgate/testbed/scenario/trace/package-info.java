/**
 * Recordings of every frame on every link, and the first place at which two of them differ. A
 * recording is written by the thread that runs the cell.
 */
@NullMarked
package io.headgate.testbed.scenario.trace;

import org.jspecify.annotations.NullMarked;
