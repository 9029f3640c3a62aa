/**
 * What a switch itself does besides forwarding: it listens, answers and announces. Services join as
 * mechanisms, below {@code services} of a switch, and run on the worker of its local port.
 */
@NullMarked
package io.headgate.dataplane.service;

import org.jspecify.annotations.NullMarked;
