/**
 * Flow control, which keeps lossless priorities lossless: plain state machines that receive the
 * time, without clock, thread or device. Events that need their exact time read the {@link
 * io.headgate.dataplane.linkcontrol.PresentTime} that the runner hands in. The receiving side of a
 * link keeps accounts of the frames that it holds and tells its sender what to do; the sending side
 * obeys.
 *
 * <p>The {@link io.headgate.dataplane.linkcontrol.LinkProtocol}s of a port exchange frames with the
 * far end of its link: pauses or credits, and those of link mechanisms. This package combines their
 * decisions. An ingress half owns the accounts and {@link
 * io.headgate.dataplane.flowcontrol.IngressFlowControl}, the egress half of the same port {@link
 * io.headgate.dataplane.flowcontrol.EgressFlowControl} with the {@link
 * io.headgate.dataplane.flowcontrol.PfcWatchdog}; {@link
 * io.headgate.dataplane.flowcontrol.PortFlowControl} has their shared state. All state is arrays of
 * eight priorities, or ten accounts.
 *
 * <p>Sources: IEEE 802.1Q clause 36 and annex N (buffers), SONiC (watchdog).
 */
@NullMarked
package io.headgate.dataplane.flowcontrol;

import org.jspecify.annotations.NullMarked;
