/**
 * The traffic of hosts above their network cards: applications that make, consume, acknowledge and
 * count frames, both in virtual time and on the real bed.
 *
 * <p>A {@link io.headgate.testbed.traffic.TrafficDevice} is the application side of one host's
 * network card and is called only by the card's two halves; {@link
 * io.headgate.testbed.traffic.Traffic} holds what all hosts of one run share: addresses, groups of
 * flows, the log of complete flows. The driver of the cards supplies the time. Times are
 * picoseconds. Every random choice is drawn from a generator of its own, see {@link
 * io.headgate.dataplane.random.NamedRandom}.
 *
 * <pre>
 *   Traffic traffic = new Traffic(seed, clockPs, apartPs, wire, Traffic.Options.DEFAULT);
 *   traffic.addHost(HostAddress.onOneNetwork("h0", mac, ipv4));              // for every host
 *   traffic.start(FlowSpec.greedy("victim", 0, 7, FrameShape.udp(1000)));
 *   traffic.start(ArrivalSpec.of("web", 1, hosts, Poisson.forLoad(sizes, rateBps, 0.7), sizes, shape));
 *   ThroughputSeries series = traffic.group("victim").recordThroughput(intervalPs);
 *   …                                                                        // the cards run
 *   traffic.log().entries();
 * </pre>
 *
 * <p>A host's behaviour depends on when frames arrive and slots become free, never on how often it
 * is called: each call first carries out everything that is due up to now, in the order of time.
 * Statistics have no effect on it.
 *
 * <p>One thread owns the traffic of a run. In a run of several threads each calls the hosts of its
 * part, and reads add up the counters of all parts. Memory grows with the active flows and with the
 * log, by one row per complete flow; nothing is allocated per frame.
 */
@NullMarked
package io.headgate.testbed.traffic;

import org.jspecify.annotations.NullMarked;
