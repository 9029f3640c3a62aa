/**
 * Memory of frames, and the accounting that no frame is lost: one region of equal slots, a {@link
 * io.headgate.dataplane.memory.Frame} bound to each, a home and a recorded place for every slot,
 * and a reason for every drop. A frame has one owner at a time; threads share frames only through
 * the engine's rings. Everything is allocated at start; in virtual time, where many nodes have
 * slots for a worst case that few reach, it is reserved at start and occupies RAM as it is used.
 */
@NullMarked
package io.headgate.dataplane.memory;

import org.jspecify.annotations.NullMarked;
