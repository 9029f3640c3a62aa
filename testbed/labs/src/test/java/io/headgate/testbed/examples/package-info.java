/** The examples that others start from. */
@NullMarked
package io.headgate.testbed.examples;

import org.jspecify.annotations.NullMarked;
