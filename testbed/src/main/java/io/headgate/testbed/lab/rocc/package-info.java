/**
 * What the RoCC lab tries and what came of it: demands, trials and their medians, how rates and
 * queue were over time, on real frames and in virtual time. The lab itself puts the network up.
 */
@NullMarked
package io.headgate.testbed.lab.rocc;

import org.jspecify.annotations.NullMarked;
