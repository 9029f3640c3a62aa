/**
 * HPCC's sender: a window by what ports on the way say of themselves in telemetry. As all rate
 * controls it knows no clock, and is found by its name. Owned by the sending host.
 */
@NullMarked
package io.headgate.hostagent.rate.hpcc;

import org.jspecify.annotations.NullMarked;
