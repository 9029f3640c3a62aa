/**
 * The tests of RFC 8239 (Data Center Benchmarking Methodology) that four ports allow: buffering
 * (section 3), microbursts (4), head-of-line blocking (5), incast (6). The switch is ours, on
 * AF_PACKET ports between namespaces; frames for the first two come from packet sockets, traffic
 * for the others from iperf3. What is asserted are counts; speeds and times are only reported.
 */
@NullMarked
package io.headgate.testbed.datacenter;

import org.jspecify.annotations.NullMarked;
