/**
 * In-band telemetry for people: the paths of frames with the names of switches and ports instead of
 * their numbers. Any thread; only reads.
 */
@NullMarked
package io.headgate.control.telemetry;

import org.jspecify.annotations.NullMarked;
