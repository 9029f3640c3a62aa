/**
 * AF_XDP devices: a socket on a receive queue of an interface, and the XDP program that redirects
 * frames to it.
 */
@NullMarked
package io.headgate.dataplane.device.afxdp;

import org.jspecify.annotations.NullMarked;
