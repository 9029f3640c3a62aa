/**
 * Recordings of every frame on every link, and the search for the first place at which two of them
 * differ. The thread that runs the cell writes its recording.
 */
@NullMarked
package io.headgate.testbed.scenario.trace;

import org.jspecify.annotations.NullMarked;
