/**
 * Services of a switch in addition to forwarding: they listen, answer and announce. Each is a
 * mechanism below {@code services} of a switch; all run on the worker of its local port.
 */
@NullMarked
package io.headgate.dataplane.service;

import org.jspecify.annotations.NullMarked;
