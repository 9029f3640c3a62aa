/**
 * A switch that runs in this process: engine, devices, supervision, counters and captures put
 * together. The daemon and the test bed's lab start switches through here. No thread of its own but
 * those of the parts.
 */
@NullMarked
package io.headgate.control.run;

import org.jspecify.annotations.NullMarked;
