/** Tests of what is read, what is refused and in which words, written, patched and published. */
@NullMarked
package io.headgate.config.read;

import org.jspecify.annotations.NullMarked;
