/**
 * The queueing parts of an egress half: its data queues, the schedule that chooses among them, and
 * the pacers that hold the port and single priorities to their rates. Owned by the egress half,
 * bounded by configuration, without a clock of their own. Sources: IEEE 802.1Q 8.6.8 (transmission
 * selection), Shreedhar and Varghese, "Efficient fair queueing using deficit round robin" (SIGCOMM
 * 1995).
 */
@NullMarked
package io.headgate.dataplane.queue;

import org.jspecify.annotations.NullMarked;
