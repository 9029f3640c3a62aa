/**
 * JMH benchmarks of rate control: the congestion point in the switch, and the limiters in a host,
 * each by itself.
 */
@NullMarked
package io.headgate.perf.rate;

import org.jspecify.annotations.NullMarked;
