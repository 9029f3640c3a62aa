/**
 * Runs the engine in real time: one thread per worker, one clock read per cycle, sleep without
 * work; opens and reopens devices. The only part of the engine with threads and a clock.
 */
@NullMarked
package io.headgate.dataplane.runner;

import org.jspecify.annotations.NullMarked;
