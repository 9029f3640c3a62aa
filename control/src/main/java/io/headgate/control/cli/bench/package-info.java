/**
 * What benchmarks' commands have in common, and some others that work for minutes: how they refuse,
 * report, end in order on a signal, and repeat the command line that they were given. One thread
 * runs a command.
 */
@NullMarked
package io.headgate.control.cli.bench;

import org.jspecify.annotations.NullMarked;
