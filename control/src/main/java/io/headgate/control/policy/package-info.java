/**
 * Reads the files of OpenQueue policies, binds the policies to ports by configuration, and explains
 * them. The language and the code that runs it are in {@code io.headgate.dataplane.openqueue}.
 * Nothing here is on the path of frames.
 */
@NullMarked
package io.headgate.control.policy;

import org.jspecify.annotations.NullMarked;
