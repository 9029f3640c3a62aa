/**
 * Reads the file from which a user's own lab is made: a topology, flows, commands. It runs like
 * every other lab.
 */
@NullMarked
package io.headgate.testbed.lab.own;

import org.jspecify.annotations.NullMarked;
