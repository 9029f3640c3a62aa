/** Tests of how keys are declared. */
@NullMarked
package io.headgate.config.key;

import org.jspecify.annotations.NullMarked;
