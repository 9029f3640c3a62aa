/**
 * Where frames live and how none is lost: one region of equal slots, a {@link
 * io.headgate.dataplane.memory.Frame} bound to each, a home and a recorded place for every slot,
 * and a name for every way a frame can be dropped. Frames have one owner at a time; nothing here is
 * shared between threads but through the engine's rings. Everything is allocated at start; in
 * virtual time, where many nodes have slots for a worst case that few see, it is reserved then and
 * takes up room as it is used.
 */
@NullMarked
package io.headgate.dataplane.memory;

import org.jspecify.annotations.NullMarked;
