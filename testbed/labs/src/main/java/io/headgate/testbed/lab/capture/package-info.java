/** The capture files of labs: frames of chosen moments, and whether tshark finds them sound. */
@NullMarked
package io.headgate.testbed.lab.capture;

import org.jspecify.annotations.NullMarked;
