/** Network interfaces of Linux, as devices need them: namespaces, netlink, ethtool, sysfs. */
@NullMarked
package io.headgate.dataplane.device.linux.net;

import org.jspecify.annotations.NullMarked;
