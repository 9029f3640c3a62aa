/**
 * What the engine shows to a capture. A half calls its {@link io.headgate.dataplane.capture.Tap} on
 * its own thread; the frame is copied into a bounded ring that the capture's writer, on a thread of
 * its own, empties. Traffic never waits: what the ring has no room for is left out of the capture
 * and counted.
 */
@NullMarked
package io.headgate.dataplane.capture;

import org.jspecify.annotations.NullMarked;
