/**
 * Protocols that the two ends of a link speak with each other, below all forwarding: what one is
 * ({@link io.headgate.dataplane.linkcontrol.LinkProtocol}), with its receiving and its sending end
 * at a port; how long it has stopped queues; and what time it is for what must be timed by when it
 * happens. Pauses and credits are the first; others join beside them.
 *
 * <p>Owners: an ingress half owns the {@link io.headgate.dataplane.linkcontrol.LinkReceiver}, the
 * egress half of the same port the {@link io.headgate.dataplane.linkcontrol.LinkSender}. Between
 * them stand words that one half writes and the other reads. What is to leave by another port of
 * the switch goes by a {@link io.headgate.dataplane.linkcontrol.LinkRelay}.
 */
@NullMarked
package io.headgate.dataplane.linkcontrol;

import org.jspecify.annotations.NullMarked;
