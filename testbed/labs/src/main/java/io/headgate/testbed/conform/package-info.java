/**
 * Conformance cases from the published test plans for lossless switches: each is a scenario file
 * with its source, is run on either bed, and judged. Uses the scenarios; owns no threads.
 */
@NullMarked
package io.headgate.testbed.conform;

import org.jspecify.annotations.NullMarked;
