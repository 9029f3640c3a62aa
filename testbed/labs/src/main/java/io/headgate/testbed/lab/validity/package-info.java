/**
 * Checks whether a run of a lab proves anything: the delays that the machine caused to its workers
 * and senders, and the conditions of its control case. If a check fails, the verdict is INVALID,
 * whatever else was found.
 */
@NullMarked
package io.headgate.testbed.lab.validity;

import org.jspecify.annotations.NullMarked;
