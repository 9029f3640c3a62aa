/** Access to Linux network interfaces for devices: namespaces, netlink, ethtool, sysfs. */
@NullMarked
package io.headgate.dataplane.device.linux.net;

import org.jspecify.annotations.NullMarked;
