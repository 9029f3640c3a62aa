/**
 * A lab's twin: the network and the traffic that its report describes, in virtual time, and the
 * first difference between what was measured on real frames and there. One thread; reads a report's
 * directory and writes nothing.
 */
@NullMarked
package io.headgate.testbed.lab.twin;

import org.jspecify.annotations.NullMarked;
