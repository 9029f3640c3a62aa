/** How counters of a running lab were over time: each series looks on a thread of its own. */
@NullMarked
package io.headgate.testbed.lab.series;

import org.jspecify.annotations.NullMarked;
