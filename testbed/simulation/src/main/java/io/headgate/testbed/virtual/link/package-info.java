/**
 * Links in virtual time: a link with its two ends, the frames in flight in either direction, what
 * goes wrong on the way, and the digest of all that was sent.
 *
 * <p>A link is given two ports of nodes ({@link io.headgate.testbed.virtual.link.LinkPort}) and
 * what its run lends it ({@link io.headgate.testbed.virtual.link.LinkContext}); it depends neither
 * on the run nor on nodes. It reports when its events are due and which duties must be called, and
 * is called back then: {@code arrive} and {@code atSender} of a {@link
 * io.headgate.testbed.virtual.link.LinkDirection}.
 *
 * <p>Owned by the run's thread. Bounded by what is in flight: memory is taken from the run's pools
 * as frames start and given back as they are received; nothing is allocated per frame.
 */
@NullMarked
package io.headgate.testbed.virtual.link;

import org.jspecify.annotations.NullMarked;
