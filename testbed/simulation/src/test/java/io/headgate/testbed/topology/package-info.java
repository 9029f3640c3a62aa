/** Tests of the topologies: graphs, files, and what both beds are given. */
@NullMarked
package io.headgate.testbed.topology;

import org.jspecify.annotations.NullMarked;
