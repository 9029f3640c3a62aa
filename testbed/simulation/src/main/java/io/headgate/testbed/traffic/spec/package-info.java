/**
 * Definitions of the traffic that hosts send: flows and sources of flows, their sizes, arrivals and
 * patterns, and the published workloads. All are values: made by any thread, then shared freely.
 *
 * <p>Bounds: a size distribution has at most 100,000 points; rates and times are checked where they
 * are given.
 */
@NullMarked
package io.headgate.testbed.traffic.spec;

import org.jspecify.annotations.NullMarked;
