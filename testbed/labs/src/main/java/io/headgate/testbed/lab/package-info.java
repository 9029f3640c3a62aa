/**
 * Ready-made demonstrations on the real test bed: a switch between hosts in network namespaces,
 * traffic from common tools, and a report that shows the results and checks whether all frames are
 * accounted for. One thread runs a lab; another may close it at any moment.
 */
@NullMarked
package io.headgate.testbed.lab;

import org.jspecify.annotations.NullMarked;
