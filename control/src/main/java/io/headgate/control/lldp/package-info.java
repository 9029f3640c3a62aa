/**
 * The LLDP announcements of a running switch's neighbours, and whether they match the switch. Any
 * thread.
 */
@NullMarked
package io.headgate.control.lldp;

import org.jspecify.annotations.NullMarked;
