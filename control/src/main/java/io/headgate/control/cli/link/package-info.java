/**
 * {@code headgate link}: the links of labs that run, shown and changed by the names of their ends.
 */
@NullMarked
package io.headgate.control.cli.link;

import org.jspecify.annotations.NullMarked;
