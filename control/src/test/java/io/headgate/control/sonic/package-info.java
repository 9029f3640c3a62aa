@NullMarked
package io.headgate.control.sonic;

import org.jspecify.annotations.NullMarked;
