/**
 * The format of test frames: addresses, headers and lengths of a flow's frames, the header that
 * test hosts write and read after UDP, and templates from which frames are made.
 *
 * <p>All are values except a {@link io.headgate.testbed.traffic.frame.FrameTemplate}, which belongs
 * to the thread of its traffic. A frame's stored part is at most 128 bytes.
 */
@NullMarked
package io.headgate.testbed.traffic.frame;

import org.jspecify.annotations.NullMarked;
