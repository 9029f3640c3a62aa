/**
 * Comparison of rate controls: the same networks and flows with each, in one report. Runs and
 * conclusions are those of any scenario.
 */
@NullMarked
package io.headgate.testbed.scenario.compare;

import org.jspecify.annotations.NullMarked;
