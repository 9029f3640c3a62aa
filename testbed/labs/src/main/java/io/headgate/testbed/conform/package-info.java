/**
 * Conformance cases: what the published test plans for lossless switches ask, each a scenario file
 * with its source, run on either bed and judged. Uses the scenarios; owns no threads.
 */
@NullMarked
package io.headgate.testbed.conform;

import org.jspecify.annotations.NullMarked;
