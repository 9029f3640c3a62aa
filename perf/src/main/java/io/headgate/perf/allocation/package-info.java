/**
 * What worker threads allocate while frames flow: nothing, once warm. Switches run in this process,
 * so that the JVM can be asked; another thread makes the traffic.
 */
@NullMarked
package io.headgate.perf.allocation;

import org.jspecify.annotations.NullMarked;
