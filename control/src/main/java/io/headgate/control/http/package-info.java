/**
 * HTTP on a socket of this machine, for metrics and for the page: one thread, connections bounded
 * in number, in time and in the size of a request. The package knows nothing about frames or
 * switches.
 */
@NullMarked
package io.headgate.control.http;

import org.jspecify.annotations.NullMarked;
