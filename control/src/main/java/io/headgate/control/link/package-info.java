/**
 * Links of a network that several switches make: which port is at which end, and what is changed at
 * the ends so that a link is late, loses frames or is down. No thread of its own; knows running
 * switches only by what they say of themselves.
 */
@NullMarked
package io.headgate.control.link;

import org.jspecify.annotations.NullMarked;
