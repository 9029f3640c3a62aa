/**
 * Captures a switch's frames for Wireshark: one pcapng interface per port with both directions, and
 * one named {@code drops} with the reason of each drop. The writer has a thread of its own and
 * empties the halves' capture rings in time order. Only the writer can be slow: frames that it has
 * no time for are left out of the file and counted in it. Format: draft-ietf-opsawg-pcapng.
 */
@NullMarked
package io.headgate.control.capture;

import org.jspecify.annotations.NullMarked;
