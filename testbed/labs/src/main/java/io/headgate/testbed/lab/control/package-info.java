/**
 * Configures rate controls in labs, and the ports that they need, for the rate of a lab's links.
 */
@NullMarked
package io.headgate.testbed.lab.control;

import org.jspecify.annotations.NullMarked;
