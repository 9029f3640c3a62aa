/**
 * Counters as Prometheus reads them: their names and labels, and a server that shows them over
 * HTTP. A thread of its own reads the counters' memory on request; nothing here touches a frame.
 */
@NullMarked
package io.headgate.control.metrics;

import org.jspecify.annotations.NullMarked;
