/**
 * What a lab's packets are worth: the algorithms of section 2.5.4 of Menikkumbura's dissertation
 * (Purdue, 2022) on real frames, with unmodified iperf3. Flows and arithmetic, no network.
 */
@NullMarked
package io.headgate.testbed.lab.weighted;

import org.jspecify.annotations.NullMarked;
