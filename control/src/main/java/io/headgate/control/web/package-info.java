/**
 * The page that shows a network live: counters of running switches, read where {@code show} reads
 * them ten times a second, as lines of JSON that all viewers get. No worker takes part in it, and
 * nothing can be changed from it.
 */
@NullMarked
package io.headgate.control.web;

import org.jspecify.annotations.NullMarked;
