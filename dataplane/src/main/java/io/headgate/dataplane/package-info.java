/** The dataplane: frames, memory, devices, the engine and the mechanisms at the switch. */
@NullMarked
package io.headgate.dataplane;

import org.jspecify.annotations.NullMarked;
