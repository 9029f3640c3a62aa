/**
 * What an egress half owns: its data queues, the schedule that chooses among them, and the pacers
 * that hold the port and single priorities to their rates. Single owner, bounded by configuration,
 * no clock of their own. Sources: IEEE 802.1Q 8.6.8 (transmission selection), Shreedhar and
 * Varghese, "Efficient fair queueing using deficit round robin" (SIGCOMM 1995).
 */
@NullMarked
package io.headgate.dataplane.queue;

import org.jspecify.annotations.NullMarked;
