/**
 * Reads YAML 1.2 (JSON is YAML). A text becomes a tree with lines and columns, a schema finds where
 * the tree departs from what is allowed, and all problems are reported at once. It knows no keys.
 * Files have at most 4 MiB and are nested at most 32 deep.
 */
@NullMarked
package io.headgate.config.yaml;

import org.jspecify.annotations.NullMarked;
