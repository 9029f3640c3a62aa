/**
 * HPCC's sender: a window that follows the telemetry of the ports on the path. Like all rate
 * controls it knows no clock, and is found by its name. Owned by the sending host.
 */
@NullMarked
package io.headgate.hostagent.rate.hpcc;

import org.jspecify.annotations.NullMarked;
