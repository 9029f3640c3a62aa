/**
 * Networks as graphs of hosts, switches and links, and what both test beds need of them: addresses,
 * forwarding tables, routes, one configuration for each switch. A topology says nothing about time:
 * the virtual bed runs it as it is, the real bed with its rates divided by a factor.
 *
 * <p>Values all the way: made by one thread, then shared freely. Bounds: 10,000 hosts, 4,096
 * switches of up to 128 ports. Everything is numbered in the order of its declaration, so that the
 * same text makes the same network everywhere.
 */
@NullMarked
package io.headgate.testbed.topology;

import org.jspecify.annotations.NullMarked;
