/** The command line: {@code headgate} and what modules contribute to it. */
@NullMarked
package io.headgate.control.cli;

import org.jspecify.annotations.NullMarked;
