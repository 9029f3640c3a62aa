/** TAP: an interface whose other side is this process. */
@NullMarked
package io.headgate.dataplane.device.tap;

import org.jspecify.annotations.NullMarked;
