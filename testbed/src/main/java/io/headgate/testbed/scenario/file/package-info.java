/**
 * Scenarios that somebody writes as a YAML file: topology, traffic, duration, what is recorded,
 * what is expected. Whatever is wrong in a file is told with its line and what is allowed there.
 */
@NullMarked
package io.headgate.testbed.scenario.file;

import org.jspecify.annotations.NullMarked;
