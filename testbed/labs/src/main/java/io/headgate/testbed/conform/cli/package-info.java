/** {@code headgate conform}. */
@NullMarked
package io.headgate.testbed.conform.cli;

import org.jspecify.annotations.NullMarked;
