/**
 * Marking by a proportional-integral controller (DCQCN+PI). Its rules know no frame and no clock.
 * Owned by the egress half.
 */
@NullMarked
package io.headgate.dataplane.congestion.pi;

import org.jspecify.annotations.NullMarked;
