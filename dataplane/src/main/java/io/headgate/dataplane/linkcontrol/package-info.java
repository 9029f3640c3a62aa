/**
 * Link protocols between the two ends of a link, below all forwarding: the interface ({@link
 * io.headgate.dataplane.linkcontrol.LinkProtocol}), with a receiving and a sending end at a port;
 * the times for which a protocol has stopped queues; and the present time, for frames that need
 * their exact time. Pauses and credits come first, then those of link mechanisms.
 *
 * <p>Owners: an ingress half owns the {@link io.headgate.dataplane.linkcontrol.LinkReceiver}, the
 * egress half of the same port the {@link io.headgate.dataplane.linkcontrol.LinkSender}. Between
 * them are words that one half writes and the other reads. Records that leave by another port of
 * the switch use a {@link io.headgate.dataplane.linkcontrol.LinkRelay}.
 */
@NullMarked
package io.headgate.dataplane.linkcontrol;

import org.jspecify.annotations.NullMarked;
