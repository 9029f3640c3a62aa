/**
 * Causes of pauses: what a switch knows of its own pauses, and how one is followed from switch to
 * switch to its root. Any thread; looks at a running engine and changes nothing.
 */
@NullMarked
package io.headgate.control.pauses;

import org.jspecify.annotations.NullMarked;
