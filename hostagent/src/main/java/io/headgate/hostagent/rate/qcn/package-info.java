/**
 * The reaction point of IEEE 802.1Qau (QCN). It knows no clock, and is found by its name. Owned by
 * the sending host.
 */
@NullMarked
package io.headgate.hostagent.rate.qcn;

import org.jspecify.annotations.NullMarked;
