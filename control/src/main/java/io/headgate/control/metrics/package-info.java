/**
 * Serves counters to Prometheus: their names and labels, and a server that shows them over HTTP.
 * The server's own thread reads the counters' memory on request; nothing here touches a frame.
 */
@NullMarked
package io.headgate.control.metrics;

import org.jspecify.annotations.NullMarked;
