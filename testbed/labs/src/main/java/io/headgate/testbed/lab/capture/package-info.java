/** Writes the capture files of labs, with frames of chosen moments, and checks them with tshark. */
@NullMarked
package io.headgate.testbed.lab.capture;

import org.jspecify.annotations.NullMarked;
