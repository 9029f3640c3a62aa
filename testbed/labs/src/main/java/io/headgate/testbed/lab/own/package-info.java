/**
 * What a person writes in a file of his own to get a lab of it: a topology, flows, commands. Read
 * here; run as every other lab.
 */
@NullMarked
package io.headgate.testbed.lab.own;

import org.jspecify.annotations.NullMarked;
