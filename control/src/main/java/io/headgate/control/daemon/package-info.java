/**
 * A switch as a process of its own: its run directory (counters, control socket, process id), and
 * the API on the socket, JSON lines for whoever may open it (mode 0600). One thread speaks to
 * clients, one carries out what they ask; neither touches a frame.
 */
@NullMarked
package io.headgate.control.daemon;

import org.jspecify.annotations.NullMarked;
