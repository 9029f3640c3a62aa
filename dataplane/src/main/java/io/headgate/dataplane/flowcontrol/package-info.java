/**
 * What keeps lossless priorities lossless, as plain state machines: values of time, without clock,
 * thread or device. What must be timed by when it happens asks the {@link
 * io.headgate.dataplane.linkcontrol.PresentTime} that the runner hands in. The receiving side of a
 * link keeps accounts of what it holds and says what its sender must do; the sending side obeys.
 *
 * <p>What a port says to the far end of its link, and obeys of it, are its {@link
 * io.headgate.dataplane.linkcontrol.LinkProtocol}s: pauses or credits, and others that have joined.
 * Here is what they say together. An ingress half owns accounts and {@link
 * io.headgate.dataplane.flowcontrol.IngressFlowControl}, the egress half of the same port {@link
 * io.headgate.dataplane.flowcontrol.EgressFlowControl} with the {@link
 * io.headgate.dataplane.flowcontrol.PfcWatchdog}; {@link
 * io.headgate.dataplane.flowcontrol.PortFlowControl} has what they share. All state is arrays of
 * eight priorities, or nine accounts.
 *
 * <p>Sources: IEEE 802.1Q clause 36 and annex N (buffers), SONiC (watchdog).
 */
@NullMarked
package io.headgate.dataplane.flowcontrol;

import org.jspecify.annotations.NullMarked;
