/**
 * What in-band telemetry says, for people: the ways of frames with the names of switches and ports
 * instead of their numbers. Any thread; reads what others show and changes nothing.
 */
@NullMarked
package io.headgate.control.telemetry;

import org.jspecify.annotations.NullMarked;
