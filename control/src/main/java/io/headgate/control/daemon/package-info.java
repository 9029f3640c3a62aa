/**
 * A switch as a process of its own: its run directory (counters, control socket, process id), and
 * the API on the socket, JSON lines for the user that runs it (mode 0600). One thread serves
 * clients, another one carries out their requests; neither touches a frame.
 */
@NullMarked
package io.headgate.control.daemon;

import org.jspecify.annotations.NullMarked;
