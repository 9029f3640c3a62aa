/**
 * TIMELY's sender: a rate that follows the gradient of round trip times, as published and as
 * patched by "ECN or Delay". It knows no clock, and is found by its name. Owned by the sending
 * host.
 */
@NullMarked
package io.headgate.hostagent.rate.timely;

import org.jspecify.annotations.NullMarked;
