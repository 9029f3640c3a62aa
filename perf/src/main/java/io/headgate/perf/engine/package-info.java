/**
 * JMH benchmarks of the engine alone: in-memory ports, one thread, from receive to transmit. They
 * say what a frame costs before any device or kernel does.
 */
@NullMarked
package io.headgate.perf.engine;

import org.jspecify.annotations.NullMarked;
