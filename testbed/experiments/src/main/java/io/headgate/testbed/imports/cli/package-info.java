/** {@code headgate import}. */
@NullMarked
package io.headgate.testbed.imports.cli;

import org.jspecify.annotations.NullMarked;
