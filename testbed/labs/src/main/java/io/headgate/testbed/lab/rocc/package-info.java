/**
 * What the RoCC lab tries, and the results: demands, trials and their medians, rates and queue over
 * time, on real frames and in virtual time. The lab itself puts the network up.
 */
@NullMarked
package io.headgate.testbed.lab.rocc;

import org.jspecify.annotations.NullMarked;
