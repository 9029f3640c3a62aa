/**
 * In-band telemetry: ports write their state into the RoCEv2 packets that leave by them, and a
 * host's card removes it again. The state of a port is a {@link
 * io.headgate.dataplane.memory.HopRecord}; its form on the wire is a {@link
 * io.headgate.dataplane.telemetry.HopEncoding}. There are three: INT-MD v2.1 ({@link
 * io.headgate.dataplane.telemetry.IntMd}), IOAM ({@link io.headgate.dataplane.telemetry.Ioam}, RFC
 * 9197) and the form of HPCC's simulation ({@link io.headgate.dataplane.telemetry.HpccInt}).
 *
 * <p>Encodings have no state. Room is made when a frame comes to its egress port, before its length
 * is checked, with a record that is marked as not written yet; it is overwritten when the frame
 * starts. For any content, an encoding reads only bytes of the frame and throws no exception.
 */
@NullMarked
package io.headgate.dataplane.telemetry;

import org.jspecify.annotations.NullMarked;
