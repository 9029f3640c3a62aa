/**
 * Gentle flow control, GFC (Qian, Cheng, Zhang and Ren, "Gentle Flow Control: Avoiding Deadlock in
 * Lossless Networks", SIGCOMM 2019): a port asks the far end for a lower rate the more one of its
 * priorities holds here, and never for none at all. Where no priority ever stops, none can wait for
 * another without end.
 *
 * <p>{@link io.headgate.dataplane.gfc.GfcStages} and {@link io.headgate.dataplane.gfc.GfcLine} are
 * the paper's two mappings from what is held to a rate. An ingress half owns the {@link
 * io.headgate.dataplane.gfc.GfcReceiver}, the egress half of the same port the {@link
 * io.headgate.dataplane.gfc.GfcSender}; between them stand published words. All state is arrays of
 * eight priorities.
 */
@NullMarked
package io.headgate.dataplane.gfc;

import org.jspecify.annotations.NullMarked;
