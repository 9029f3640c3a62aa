/**
 * Finds the causes of pauses: reads a switch's own pauses, and follows one from switch to switch to
 * its root. Any thread; reads a running engine and changes nothing.
 */
@NullMarked
package io.headgate.control.pauses;

import org.jspecify.annotations.NullMarked;
