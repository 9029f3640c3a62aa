/**
 * In-band telemetry: ports write what they know of themselves into the packets of RoCEv2 that leave
 * by them, and a host's card takes it off again. What a port knows is a {@link
 * io.headgate.dataplane.memory.HopRecord}; how that stands on the wire is a {@link
 * io.headgate.dataplane.telemetry.HopEncoding}, of which there are three: INT-MD v2.1 ({@link
 * io.headgate.dataplane.telemetry.IntMd}), IOAM ({@link io.headgate.dataplane.telemetry.Ioam}, RFC
 * 9197) and the form of HPCC's simulation ({@link io.headgate.dataplane.telemetry.HpccInt}).
 *
 * <p>Encodings have no state. Room is made as a frame comes to its egress port, before its length
 * is measured, with a record that says that it is not written yet; it is overwritten as the frame
 * starts. Whatever the bytes of a frame are, an encoding reads only bytes of it, and throws
 * nothing.
 */
@NullMarked
package io.headgate.dataplane.telemetry;

import org.jspecify.annotations.NullMarked;
