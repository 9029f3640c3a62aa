/** Help about the command line itself: help texts, completion for shells, manual pages. */
@NullMarked
package io.headgate.control.cli.help;

import org.jspecify.annotations.NullMarked;
