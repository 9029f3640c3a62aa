/**
 * System calls on Linux, and settings of threads and processes, through {@code java.lang.foreign}
 * alone. The only package that calls the kernel.
 *
 * <p>System calls return what the kernel does: a result of zero or more, or a negated errno. Each
 * owner keeps an {@link io.headgate.dataplane.device.linux.Errno} of its own, so that no call
 * allocates; the classes that group the calls ({@code Files}, {@code Sockets}, {@code Threads})
 * have no state. The JVM slices that segment in every call; the slice is removed when these classes
 * are compiled by themselves, so the launcher forbids inlining them. A request of the user that
 * cannot be met is reported by a {@link io.headgate.dataplane.device.DeviceException} with one
 * sentence. Structures and constants are those of the kernel's uapi headers for 64-bit
 * little-endian machines.
 */
@NullMarked
package io.headgate.dataplane.device.linux;

import org.jspecify.annotations.NullMarked;
