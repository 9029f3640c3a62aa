/**
 * Scenarios that users write as YAML files: topology, traffic, duration, recorded series,
 * expectations. An error in a file is reported with its line and what is allowed there.
 */
@NullMarked
package io.headgate.testbed.scenario.file;

import org.jspecify.annotations.NullMarked;
