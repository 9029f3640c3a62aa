/** Benchmarks of Headgate: JMH, forwarding after the RFCs, and comparisons with peers. */
@NullMarked
package io.headgate.perf;

import org.jspecify.annotations.NullMarked;
