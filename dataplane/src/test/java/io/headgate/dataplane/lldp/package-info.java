@NullMarked
package io.headgate.dataplane.lldp;

import org.jspecify.annotations.NullMarked;
