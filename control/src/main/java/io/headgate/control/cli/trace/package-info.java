/** {@code headgate trace}: what the workers of a running switch do, in a file for Perfetto. */
@NullMarked
package io.headgate.control.cli.trace;

import org.jspecify.annotations.NullMarked;
