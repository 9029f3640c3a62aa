/**
 * Detours: mechanisms that move frames of a port, while others only watch them. A detour takes
 * frames out of stopped queues, or when they arrive, holds them apart from the queues, and starts
 * them before the queued frames. It exchanges frames with the far end of the link like any link
 * protocol.
 *
 * <p>Owners: an ingress half owns the {@link io.headgate.dataplane.detour.DetourReceiver}, the
 * egress half of the same port the {@link io.headgate.dataplane.detour.FrameDetour}. A port has at
 * most one detour.
 *
 * <p>Bounded by the numbers that the detour declares: frames that come in by it have an account and
 * slots of their own.
 */
@NullMarked
package io.headgate.dataplane.detour;

import org.jspecify.annotations.NullMarked;
