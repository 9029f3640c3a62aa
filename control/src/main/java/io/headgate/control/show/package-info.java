/**
 * What {@code headgate show NAME} shows: one class a table, found by {@link
 * java.util.ServiceLoader}, so that a jar brings its own.
 */
@NullMarked
package io.headgate.control.show;

import org.jspecify.annotations.NullMarked;
