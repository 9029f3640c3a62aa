/**
 * The formats of frames: views that read and write header fields in place, checksums, the parse of
 * a received frame, and the hash of its flow.
 *
 * <p>A view is a class of static methods over {@code (MemorySegment, long offset)}, with the offset
 * of the header's first byte: no object represents a header, and nothing is allocated. Fields are
 * unsigned and in network order; a MAC address is the low 48 bits of a {@code long}.
 *
 * <p>Bounds: {@code isValid(segment, offset, availableBytes)} is the only method that evaluates the
 * lengths that a frame claims (for MAC control frames, {@code isPause} and {@code isPfc}). Once it
 * has returned true, every accessor of that view stays within {@code availableBytes}; before that,
 * only the segment's own bounds limit an access. Nothing here has state, so any thread may call it
 * for a frame that it owns.
 *
 * <p>Sources: IEEE 802.3 (clause 3, Annexes 31A, 31B, 31D), IEEE 802.1Q (clause 9), RFC 826, 791,
 * 792, 768, 9293, 8200, 4443, 4861, 1071, 1624, and the InfiniBand architecture's Annex A17
 * (RoCEv2).
 */
@NullMarked
package io.headgate.dataplane.frame;

import org.jspecify.annotations.NullMarked;
