/** {@code headgate verify --seeds}: the swarm from the command line. */
@NullMarked
package io.headgate.testbed.swarm.cli;

import org.jspecify.annotations.NullMarked;
