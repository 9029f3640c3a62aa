/** What tells of the command line itself: help, completion for shells, manual pages. */
@NullMarked
package io.headgate.control.cli.help;

import org.jspecify.annotations.NullMarked;
