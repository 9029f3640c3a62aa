/**
 * The configuration model, its YAML form, schema and validation. A configuration is a value:
 * records all the way down, defaults filled in, safe to share between threads. Bounds are stated on
 * each record and enforced when a file is read.
 */
@NullMarked
package io.headgate.config;

import org.jspecify.annotations.NullMarked;
