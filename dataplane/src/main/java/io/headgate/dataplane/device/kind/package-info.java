/** Headgate's own kinds of devices, registered in the same way as those of other jars. */
@NullMarked
package io.headgate.dataplane.device.kind;

import org.jspecify.annotations.NullMarked;
