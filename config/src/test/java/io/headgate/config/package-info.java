/** Tests of the configuration: what is read, what is refused, and in which words. */
@NullMarked
package io.headgate.config;

import org.jspecify.annotations.NullMarked;
