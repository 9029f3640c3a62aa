/**
 * Gentle flow control, GFC (Qian, Cheng, Zhang and Ren, "Gentle Flow Control: Avoiding Deadlock in
 * Lossless Networks", SIGCOMM 2019): the more bytes a priority holds at a port, the lower the rate
 * that the port asks the far end for, but never 0. If no priority ever stops, none can wait for
 * another for an unlimited time.
 *
 * <p>{@link io.headgate.dataplane.gfc.GfcStages} and {@link io.headgate.dataplane.gfc.GfcLine} are
 * the paper's two mappings from held bytes to a rate. An ingress half owns the {@link
 * io.headgate.dataplane.gfc.GfcReceiver}, the egress half of the same port the {@link
 * io.headgate.dataplane.gfc.GfcSender}; published words connect them. All state is arrays of eight
 * priorities.
 */
@NullMarked
package io.headgate.dataplane.gfc;

import org.jspecify.annotations.NullMarked;
