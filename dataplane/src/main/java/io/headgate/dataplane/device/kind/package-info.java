/** The kinds of devices that Headgate has: each opens its own; registered as a jar's are. */
@NullMarked
package io.headgate.dataplane.device.kind;

import org.jspecify.annotations.NullMarked;
