/**
 * What an egress half owns: its data queues and the pacer that holds the port to its line rate.
 * Single owner, bounded by configuration, no clock of their own.
 */
@NullMarked
package io.headgate.dataplane.queue;

import org.jspecify.annotations.NullMarked;
