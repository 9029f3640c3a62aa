/** Tests of the machinery that reads YAML. */
@NullMarked
package io.headgate.config.yaml;

import org.jspecify.annotations.NullMarked;
