/** {@code headgate topology}. */
@NullMarked
package io.headgate.testbed.topology.cli;

import org.jspecify.annotations.NullMarked;
