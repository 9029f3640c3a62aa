/**
 * What {@code headgate lab deadlock} looks at, and what it makes of it: how full the three buffers
 * of the ring were over time, and whether that was a deadlock, and its end (Menikkumbura's
 * dissertation, section 4.6.2, figure 4.10).
 */
@NullMarked
package io.headgate.testbed.lab.deadlock;

import org.jspecify.annotations.NullMarked;
