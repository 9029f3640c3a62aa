/**
 * The configuration model. A configuration is a value: records all the way down, defaults filled
 * in, safe to share between threads, built by withers. Each component declares its key, see {@link
 * io.headgate.config.key}; a {@link io.headgate.config.Mechanism} adds keys from outside.
 */
@NullMarked
package io.headgate.config;

import org.jspecify.annotations.NullMarked;
