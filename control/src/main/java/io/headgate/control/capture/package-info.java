/**
 * Captures of what the switch did, for Wireshark: one pcapng interface per port with both
 * directions, one named {@code drops} with the reason of each. The writer has a thread of its own,
 * empties the halves' capture rings in time order, and is the only one that can be slow: what it
 * cannot keep up with is left out of the file and counted in it. Format: draft-ietf-opsawg-pcapng.
 */
@NullMarked
package io.headgate.control.capture;

import org.jspecify.annotations.NullMarked;
