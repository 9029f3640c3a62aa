/**
 * The congestion point of IEEE 802.1Qau (QCN), which tells the sources of sampled frames how far
 * their queue is from its set point. Owned by the egress half.
 */
@NullMarked
package io.headgate.dataplane.congestion.qcn;

import org.jspecify.annotations.NullMarked;
