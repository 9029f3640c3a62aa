/**
 * Hosts made of network namespaces, the links between them and a switch, and the programs that run
 * in them. Everything that is made here is first recorded in {@code /run/headgate/labs}, so that it
 * can be removed whatever happens to the process that made it. Nothing here changes the namespace
 * that we run in.
 */
@NullMarked
package io.headgate.testbed.netns;

import org.jspecify.annotations.NullMarked;
