/** Rate controls in labs: how control and ports are configured at the rate of a lab's links. */
@NullMarked
package io.headgate.testbed.lab.control;

import org.jspecify.annotations.NullMarked;
