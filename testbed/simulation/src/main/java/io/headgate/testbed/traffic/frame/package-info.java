/**
 * What the frames of traffic look like: addresses, headers and lengths of a flow's frames, the
 * header that our own hosts write and read behind UDP, and templates from which frames are made.
 *
 * <p>Values, but for a {@link io.headgate.testbed.traffic.frame.FrameTemplate}, which belongs to
 * the thread of its traffic. A frame's stored part is at most 128 bytes.
 */
@NullMarked
package io.headgate.testbed.traffic.frame;

import org.jspecify.annotations.NullMarked;
