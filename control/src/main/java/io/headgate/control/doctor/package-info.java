/**
 * Finds what makes a switch in user space fail in silence, and says or runs the command that mends
 * it: offloads that leave frames unfinished, MTUs that differ, missing tools and rights, a kernel
 * that talks on a port's interface, what killed processes left. Looks; changes nothing by itself.
 */
@NullMarked
package io.headgate.control.doctor;

import org.jspecify.annotations.NullMarked;
