/**
 * Credits as a link protocol (InfiniBand architecture volume 1, 7.9).
 *
 * <p>An ingress half owns the {@link io.headgate.dataplane.credit.CreditReceiver}, the egress half
 * of the same port the {@link io.headgate.dataplane.credit.CreditTransmitter}; the {@link
 * io.headgate.dataplane.credit.CreditRegister} connects them. All state is arrays of eight lanes,
 * one for each priority.
 */
@NullMarked
package io.headgate.dataplane.credit;

import org.jspecify.annotations.NullMarked;
