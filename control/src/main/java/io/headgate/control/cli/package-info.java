/** The command line: {@code headgate} and the commands that modules contribute to it. */
@NullMarked
package io.headgate.control.cli;

import org.jspecify.annotations.NullMarked;
