/**
 * The traffic of hosts as their network cards see it: applications that make frames, consume them,
 * acknowledge them, and keep account of both; in virtual time and on the real bed alike.
 *
 * <p>A {@link io.headgate.testbed.traffic.TrafficDevice} is the application side of one host's
 * network card and is called by the card's two halves only; {@link
 * io.headgate.testbed.traffic.Traffic} is what all hosts of one run share: addresses, groups of
 * flows, the log of completed flows. The driver of the cards supplies the time. Times are
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
 * <p>What a host does depends on when frames arrive and slots become free, never on how often it is
 * called: each entry first brings everything that is due up to now, in the order of time.
 * Statistics only watch.
 *
 * <p>One thread owns the traffic of a run; in one of several threads, each calls the hosts of a
 * part, and what they have counted is added up when it is asked for. Memory grows with the flows
 * that are under way and with the log, by one row a completed flow; nothing is allocated per frame.
 */
@NullMarked
package io.headgate.testbed.traffic;

import org.jspecify.annotations.NullMarked;
