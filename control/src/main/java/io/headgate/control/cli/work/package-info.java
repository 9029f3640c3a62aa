/**
 * Commands that work for minutes, benchmarks above all: how they refuse, report, end in order on a
 * signal, and repeat the command line that they were given. One thread runs a command.
 */
@NullMarked
package io.headgate.control.cli.work;

import org.jspecify.annotations.NullMarked;
