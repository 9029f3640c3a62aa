/**
 * The common results of a lab's runs: the numbers that its file computes, in a table and as
 * headlines.
 */
@NullMarked
package io.headgate.testbed.lab.measures;

import org.jspecify.annotations.NullMarked;
