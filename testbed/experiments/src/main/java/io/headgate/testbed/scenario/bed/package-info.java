/**
 * The beds that run an experiment: virtual time, and network namespaces. The experiment's
 * description does not depend on either.
 */
@NullMarked
package io.headgate.testbed.scenario.bed;

import org.jspecify.annotations.NullMarked;
