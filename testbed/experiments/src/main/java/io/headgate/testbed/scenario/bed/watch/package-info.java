/**
 * Observers of a running network: the drops of ports, and the OFF periods of links. They change
 * nothing and are owned by the thread that uses them.
 */
@NullMarked
package io.headgate.testbed.scenario.bed.watch;

import org.jspecify.annotations.NullMarked;
