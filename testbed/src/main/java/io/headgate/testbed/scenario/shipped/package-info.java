/** The scenarios that come with Headgate. */
@NullMarked
package io.headgate.testbed.scenario.shipped;

import org.jspecify.annotations.NullMarked;
