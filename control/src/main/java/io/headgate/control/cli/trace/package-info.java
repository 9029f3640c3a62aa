/**
 * {@code headgate trace}: records the work of a running switch's workers in a file for Perfetto.
 */
@NullMarked
package io.headgate.control.cli.trace;

import org.jspecify.annotations.NullMarked;
