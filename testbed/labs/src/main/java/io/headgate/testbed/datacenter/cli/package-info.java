/** {@code headgate bench datacenter}. */
@NullMarked
package io.headgate.testbed.datacenter.cli;

import org.jspecify.annotations.NullMarked;
