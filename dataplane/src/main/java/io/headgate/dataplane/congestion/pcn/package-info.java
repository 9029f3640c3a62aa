/**
 * PCN's congestion point: marks frames, except those that a pause has held. Its rules know no frame
 * and no clock. Owned by the egress half.
 */
@NullMarked
package io.headgate.dataplane.congestion.pcn;

import org.jspecify.annotations.NullMarked;
