/** What the neighbours of a running switch say of themselves, and whether that fits. Any thread. */
@NullMarked
package io.headgate.control.lldp;

import org.jspecify.annotations.NullMarked;
