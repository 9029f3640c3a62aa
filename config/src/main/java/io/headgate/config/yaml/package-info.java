/**
 * Reads YAML 1.2 (JSON is YAML): a text becomes a tree that knows its lines and columns, a schema
 * finds where it departs from what is allowed, and all problems are told at once. Knows no key;
 * files of at most 4 MiB, nested at most 32 deep.
 */
@NullMarked
package io.headgate.config.yaml;

import org.jspecify.annotations.NullMarked;
