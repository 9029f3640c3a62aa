/**
 * OpenQueue's policies as files: reads them, binds them to ports by configuration, and explains
 * them. The language and what runs it are in {@code io.headgate.dataplane.openqueue}. Not on the
 * path of frames.
 */
@NullMarked
package io.headgate.control.policy;

import org.jspecify.annotations.NullMarked;
