/**
 * Networks as graphs of hosts, switches and links, and the parts that both test beds build from
 * them: addresses, forwarding tables, routes, one configuration for each switch. The virtual bed
 * runs a topology as it is, the real bed with its rates divided by a factor.
 *
 * <p>All are values: made by one thread, then shared freely. Bounds: 10,000 hosts, 4,096 switches
 * of up to 128 ports. Everything is numbered in the order of its declaration, so that the same text
 * makes the same network everywhere.
 */
@NullMarked
package io.headgate.testbed.topology;

import org.jspecify.annotations.NullMarked;
