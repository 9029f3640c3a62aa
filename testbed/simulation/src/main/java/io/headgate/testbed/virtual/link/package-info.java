/**
 * Links in virtual time: a link with its two ends, the frames in flight in either direction, the
 * faults on the way, and the digest of all frames sent.
 *
 * <p>A link is created with two ports of nodes ({@link io.headgate.testbed.virtual.link.LinkPort})
 * and the parts of the run that it uses ({@link io.headgate.testbed.virtual.link.LinkContext}); it
 * depends neither on the run nor on nodes. It reports when its events are due and which duties must
 * be called, and the run then calls {@code arrive} and {@code atSender} of a {@link
 * io.headgate.testbed.virtual.link.LinkDirection}.
 *
 * <p>Owned by the run's thread. Bounded by the frames in flight: a frame takes memory from the
 * run's pools when it starts and gives it back when it is received; nothing is allocated per frame.
 */
@NullMarked
package io.headgate.testbed.virtual.link;

import org.jspecify.annotations.NullMarked;
