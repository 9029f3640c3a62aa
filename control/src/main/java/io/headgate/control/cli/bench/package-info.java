/**
 * The common parts of the commands of benchmarks, and of other commands that run for minutes: they
 * refuse wrong options, report, end in order on a signal, and repeat the command line that they
 * were given. One thread runs a command.
 */
@NullMarked
package io.headgate.control.cli.bench;

import org.jspecify.annotations.NullMarked;
