/**
 * RoCEv2 endpoints: reliable connections that SEND and WRITE messages (InfiniBand architecture
 * volume 1, section 9.7, and annex A17), and the card's application side, which they form.
 *
 * <p>A {@link io.headgate.hostagent.rdma.Requester} cuts messages into packets and goes back to the
 * first missing one; a {@link io.headgate.hostagent.rdma.Responder} takes packets in order and
 * answers. Neither knows addresses, frames or rates: a {@link io.headgate.hostagent.rdma.QueuePair}
 * adds those on a host's card, and flows of the test bed do in virtual time.
 *
 * <p>Nothing here has a clock, a thread or a socket, or logs. Each object is owned by the thread
 * that drives it; bounded by the window of packets under way, and on a card by the number of its
 * queue pairs.
 */
@NullMarked
package io.headgate.hostagent.rdma;

import org.jspecify.annotations.NullMarked;
