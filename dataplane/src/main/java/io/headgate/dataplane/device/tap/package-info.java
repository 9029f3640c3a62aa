/** TAP devices: an interface with this process at its other side. */
@NullMarked
package io.headgate.dataplane.device.tap;

import org.jspecify.annotations.NullMarked;
