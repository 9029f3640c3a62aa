/**
 * A lab's twin: runs the network and the traffic that its report describes in virtual time, and
 * finds the first difference from the results on real frames. One thread; reads a report's
 * directory and writes nothing.
 */
@NullMarked
package io.headgate.testbed.lab.twin;

import org.jspecify.annotations.NullMarked;
