/**
 * PCN's congestion point: marking that leaves out frames that were held by a pause. Its rules know
 * no frame and no clock. Owned by the egress half.
 */
@NullMarked
package io.headgate.dataplane.congestion.pcn;

import org.jspecify.annotations.NullMarked;
