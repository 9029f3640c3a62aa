/**
 * The scenarios that come with Headgate: scenario files, in the resources of this package, and Java
 * classes for those that compute values that no file can express.
 */
@NullMarked
package io.headgate.testbed.scenario.shipped;

import org.jspecify.annotations.NullMarked;
