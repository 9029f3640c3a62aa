/**
 * Passes frames from the engine to a capture. A half calls its {@link
 * io.headgate.dataplane.capture.Tap} on its own thread; the frame is copied into a bounded ring,
 * which the capture's writer empties on its own thread. Traffic never waits: frames without room in
 * the ring are left out of the capture and counted.
 */
@NullMarked
package io.headgate.dataplane.capture;

import org.jspecify.annotations.NullMarked;
