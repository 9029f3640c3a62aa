/**
 * Runs the engine in real time: one thread a worker, one clock read a cycle, sleep where there is
 * nothing to do; opens and reopens devices. The only place of the engine with threads and a clock.
 */
@NullMarked
package io.headgate.dataplane.runner;

import org.jspecify.annotations.NullMarked;
