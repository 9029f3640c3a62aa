/**
 * Assembles a switch from its configuration: the engine, the forwarding of frames, and the owners
 * of the forwarding tables.
 */
@NullMarked
package io.headgate.dataplane.assembly;

import org.jspecify.annotations.NullMarked;
