/**
 * Hosts of a lab that speak RoCEv2 themselves, by {@code headgate rdma}'s endpoints: what each of
 * them is started with, and what its flows came to. The lab itself starts them.
 */
@NullMarked
package io.headgate.testbed.lab.rdma;

import org.jspecify.annotations.NullMarked;
