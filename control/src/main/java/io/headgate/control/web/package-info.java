/**
 * Serves the page that shows a network live: counters of running switches, read ten times a second
 * from where {@code show} reads them, as lines of JSON that all viewers get. No worker takes part
 * in it, and nothing can be changed from it.
 */
@NullMarked
package io.headgate.control.web;

import org.jspecify.annotations.NullMarked;
