/**
 * Detours: mechanisms that move frames of a port, where others only watch them. One takes frames
 * out of stopped queues, or stops them as they come, holds them apart from the queues, and has them
 * start ahead of what waits there; with the far end of the link it speaks as any link protocol
 * does.
 *
 * <p>Owners: an ingress half owns the {@link io.headgate.dataplane.detour.DetourReceiver}, the
 * egress half of the same port the {@link io.headgate.dataplane.detour.FrameDetour}. A port has one
 * detour at most.
 *
 * <p>Bounded by what the detour declares: frames that come in by it have an account and slots of
 * their own.
 */
@NullMarked
package io.headgate.dataplane.detour;

import org.jspecify.annotations.NullMarked;
