/** Networks as text and as pictures: nodes, the names of hosts, port numbers, rates, load. */
@NullMarked
package io.headgate.testbed.topology.picture;

import org.jspecify.annotations.NullMarked;
