/**
 * The tables of {@code headgate show NAME}: one class per table, found by {@link
 * java.util.ServiceLoader}, so that a jar can bring its own.
 */
@NullMarked
package io.headgate.control.show;

import org.jspecify.annotations.NullMarked;
