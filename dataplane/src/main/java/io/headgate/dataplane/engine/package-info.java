/**
 * The engine: duties that move frames from device to device. A port has two halves, each with one
 * owner thread; frames pass between halves through channels that never refuse, and come home when
 * they are done. Nothing here knows a clock, a thread or a system call: a runner in real or virtual
 * time drives the duties.
 *
 * <pre>
 *   device -> [ingress half] ------- channel ------> [egress half] -> device
 *                   ^                                      |
 *                   +----------- return channel -----------+
 * </pre>
 *
 * <p>Within a worker frames come home at once, without a channel.
 */
@NullMarked
package io.headgate.dataplane.engine;

import org.jspecify.annotations.NullMarked;
