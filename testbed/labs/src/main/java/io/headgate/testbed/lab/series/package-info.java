/** Records counters of a running lab over time: each series samples on a thread of its own. */
@NullMarked
package io.headgate.testbed.lab.series;

import org.jspecify.annotations.NullMarked;
