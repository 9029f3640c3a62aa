/**
 * Runs sweeps on other machines. Every way has a text, a script or a manifest, that gives each task
 * its cells. A person may print it; if this process can follow the tasks, it runs the text itself.
 */
@NullMarked
package io.headgate.testbed.scenario.submit;

import org.jspecify.annotations.NullMarked;
