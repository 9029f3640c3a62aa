/**
 * Finds faults that make a switch in user space fail without an error message, and prints or runs
 * the command that repairs them: offloads that leave frames unfinished, different MTUs, missing
 * tools and rights, a kernel that sends on a port's interface, remains of killed processes. The
 * checks only read; they change nothing.
 */
@NullMarked
package io.headgate.control.doctor;

import org.jspecify.annotations.NullMarked;
