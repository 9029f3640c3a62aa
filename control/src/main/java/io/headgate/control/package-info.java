/** The daemon around the data plane: its API, the command line, metrics, capture, the compiler. */
@NullMarked
package io.headgate.control;

import org.jspecify.annotations.NullMarked;
