/**
 * Sweeps on other machines. Every way is a text, a script or a manifest, that hands each task its
 * cells; a person may print it, and where we can follow its tasks we run it ourselves.
 */
@NullMarked
package io.headgate.testbed.scenario.submit;

import org.jspecify.annotations.NullMarked;
