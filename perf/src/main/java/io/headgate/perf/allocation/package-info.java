/**
 * Checks that worker threads allocate nothing while frames flow, once they are warm. Switches run
 * in this process, so that the JVM can report allocations; another thread makes the traffic.
 */
@NullMarked
package io.headgate.perf.allocation;

import org.jspecify.annotations.NullMarked;
