/**
 * What keeps lossless priorities lossless, as plain state machines: values of time, without clock,
 * thread or device. What must be timed by when it happens asks the {@link
 * io.headgate.dataplane.flowcontrol.PresentTime} that the runner hands in. The receiving side of a
 * link keeps accounts of what it holds and says what its sender must do; the sending side obeys.
 *
 * <p>Owners: an ingress half owns accounts, {@link io.headgate.dataplane.flowcontrol.PauseReceiver}
 * and {@link io.headgate.dataplane.flowcontrol.CreditReceiver}; the egress half of the same port
 * owns {@link io.headgate.dataplane.flowcontrol.PauseSender}, {@link
 * io.headgate.dataplane.flowcontrol.PauseState}, {@link
 * io.headgate.dataplane.flowcontrol.CreditTransmitter} and {@link
 * io.headgate.dataplane.flowcontrol.PfcWatchdog}. Between them stand {@link
 * io.headgate.dataplane.flowcontrol.PauseRegister} and {@link
 * io.headgate.dataplane.flowcontrol.CreditRegister}: words that one half writes and the other
 * reads. All state is arrays of eight priorities, or nine accounts.
 *
 * <p>Sources: IEEE 802.1Q clause 36 and annex N (priority-based flow control), IEEE 802.3 Annexes
 * 31B and 31D (the frames), InfiniBand architecture volume 1, 7.9 (credits), SONiC (watchdog).
 * Wireshark calls priority-based flow control "Class Based Flow Control [CBFC]"; what the
 * literature calls CBFC, credit-based flow control, is called credits here.
 */
@NullMarked
package io.headgate.dataplane.flowcontrol;

import org.jspecify.annotations.NullMarked;
