/**
 * Whether a run of a lab shows anything: what the machine did to its workers and senders, and what
 * its control case must show. Where that is not so the verdict is INVALID, whatever else was found.
 */
@NullMarked
package io.headgate.testbed.lab.validity;

import org.jspecify.annotations.NullMarked;
