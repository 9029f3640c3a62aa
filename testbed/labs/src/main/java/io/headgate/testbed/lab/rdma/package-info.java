/**
 * Hosts of a lab that speak RoCEv2 themselves, with {@code headgate rdma}'s endpoints: the settings
 * with which each of them is started, and the results of its flows. The lab itself starts them.
 */
@NullMarked
package io.headgate.testbed.lab.rdma;

import org.jspecify.annotations.NullMarked;
