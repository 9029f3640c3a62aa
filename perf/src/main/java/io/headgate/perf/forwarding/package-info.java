/**
 * The forwarding benchmark after RFC 2544: throughput at saturating load and at zero loss, and
 * added latency, of Headgate and of the peers found installed, side by side in one run.
 *
 * <p>One thread, pinned to the generator's core, does all of it in turn: generates, counts, probes.
 * Devices under test are processes of their own (the Linux bridge is the kernel's), stopped by a
 * signal while another is measured. perf/README.md explains the method.
 */
@NullMarked
package io.headgate.perf.forwarding;

import org.jspecify.annotations.NullMarked;
