/**
 * The scenarios that come with Headgate: scenario files, next to these classes among the resources,
 * and in Java those that compute what no file says.
 */
@NullMarked
package io.headgate.testbed.scenario.shipped;

import org.jspecify.annotations.NullMarked;
