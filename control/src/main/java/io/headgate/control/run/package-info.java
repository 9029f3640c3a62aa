/**
 * Runs a switch in this process: puts engine, devices, supervision, counters and captures together.
 * The daemon and the test bed's lab start switches here. It has no threads except those of its
 * parts.
 */
@NullMarked
package io.headgate.control.run;

import org.jspecify.annotations.NullMarked;
