/** {@code headgate bench}: the benchmarks as commands. */
@NullMarked
package io.headgate.perf.cli;

import org.jspecify.annotations.NullMarked;
