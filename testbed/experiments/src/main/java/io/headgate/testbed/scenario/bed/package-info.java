/**
 * What runs a described experiment: the virtual-time bed and the bed of network namespaces. The
 * experiment says nothing of either.
 */
@NullMarked
package io.headgate.testbed.scenario.bed;

import org.jspecify.annotations.NullMarked;
