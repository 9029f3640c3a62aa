/**
 * Domains: a domain owns the queues of all egress ports of a switch together, instead of separate
 * queues at each port. It decides which frame an egress may start; the engine drives the ports,
 * with their flow control, congestion points and devices, as without a domain. One worker owns a
 * domain, and no clock is read here.
 *
 * <p>One domain is an input-buffered crossbar, with virtual output queues (Anderson, Owicki, Saxe
 * and Thacker, "High-speed switch scheduling for local-area networks", ACM TOCS 1993; McKeown, "The
 * iSLIP scheduling algorithm for input-queued switches", IEEE/ACM ToN 1999) or one first-in
 * first-out queue per input (Karol, Hluchyj and Morgan, "Input versus output queueing on a
 * space-division packet switch", IEEE Transactions on Communications 1987). Another is a switch
 * with small input buffers, as in InfiniBand, and the marking schemes of Santos, Turner and
 * Janakiraman ("Evaluation of Congestion Detection Mechanisms for InfiniBand Switches", GLOBECOM
 * 2002).
 */
@NullMarked
package io.headgate.dataplane.domain;

import org.jspecify.annotations.NullMarked;
