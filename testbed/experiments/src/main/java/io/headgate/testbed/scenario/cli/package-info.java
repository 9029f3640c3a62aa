/** {@code headgate reproduce} and {@code headgate compare}. */
@NullMarked
package io.headgate.testbed.scenario.cli;

import org.jspecify.annotations.NullMarked;
