/** Offers a running switch's ports as interfaces in Wireshark (wireshark's doc/extcap.4). */
@NullMarked
package io.headgate.control.cli.extcap;

import org.jspecify.annotations.NullMarked;
