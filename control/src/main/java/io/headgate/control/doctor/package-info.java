/**
 * Finds what makes a switch in user space fail in silence, and says or runs the command that
 * repairs it: offloads that leave frames unfinished, MTUs that differ, missing tools and rights, a
 * kernel that talks on a port's interface, what killed processes left. The checks only read; they
 * change nothing.
 */
@NullMarked
package io.headgate.control.doctor;

import org.jspecify.annotations.NullMarked;
