/**
 * The two test beds, network namespaces with real frames and virtual time, and the experiments that
 * run on them.
 */
@NullMarked
package io.headgate.testbed;

import org.jspecify.annotations.NullMarked;
