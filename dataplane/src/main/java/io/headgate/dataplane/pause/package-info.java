/**
 * Pauses as a link protocol: PAUSE and priority-based flow control, PFC (IEEE 802.1Q clause 36 and
 * annex N, IEEE 802.3 Annexes 31B and 31D). Wireshark calls PFC "Class Based Flow Control [CBFC]";
 * credit-based flow control, which the literature calls CBFC, is called credits here.
 *
 * <p>An ingress half owns the {@link io.headgate.dataplane.pause.PauseReceiver}, the egress half of
 * the same port the {@link io.headgate.dataplane.pause.PauseTransmitter}; the {@link
 * io.headgate.dataplane.pause.PauseRegister} connects them. All state is arrays of eight
 * priorities.
 */
@NullMarked
package io.headgate.dataplane.pause;

import org.jspecify.annotations.NullMarked;
