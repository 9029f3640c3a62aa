/**
 * The hosts of the virtual-time bed as their network cards see them: applications that make frames,
 * consume them, acknowledge them, and keep account of both.
 *
 * <p>A {@link io.headgate.testbed.virtual.host.TrafficDevice} is the application side of one host's
 * network card and is called by the card's two halves only; {@link
 * io.headgate.testbed.virtual.host.Traffic} is what all hosts of one run share: addresses, groups
 * of flows, the log of completed flows. One thread owns a run. Times are picoseconds of virtual
 * time. Every random choice is drawn from a generator of its own, see {@link
 * io.headgate.testbed.random.NamedRandom}.
 *
 * <pre>
 *   Traffic traffic = Traffic.of(run, Traffic.Options.DEFAULT);
 *   traffic.addHost(node, HostAddress.onOneNetwork("h0", mac, ipv4));        // for every host
 *   traffic.start(FlowSpec.greedy("victim", 0, 7, FrameShape.udp(1000)));
 *   traffic.start(ArrivalSpec.of("web", 1, hosts, Poisson.forLoad(sizes, rateBps, 0.7), sizes, shape));
 *   ThroughputSeries series = traffic.group("victim").recordThroughput(intervalPs);
 *   run.runUntil(endPs);
 *   CompletionTimes.bySize(traffic.log(), traffic.group("web"), 10_000, 1_000_000);
 * </pre>
 *
 * <p>What a host does depends on when frames arrive and slots come home, never on how often it is
 * called: each entry first brings everything that is due up to now, in the order of time.
 * Statistics only watch.
 */
@NullMarked
package io.headgate.testbed.virtual.host;

import org.jspecify.annotations.NullMarked;
